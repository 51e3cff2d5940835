import { Component, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Studio } from '../shell/studio';

/** What is left if the page itself fails: the recipe is safe with the program. */
class Guard extends Component<{ children: ReactNode }, { error: string | null }> {
  override state = { error: null as string | null };
  static getDerivedStateFromError(error: unknown): { error: string } {
    return { error: error instanceof Error ? error.message : String(error) };
  }
  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <section className="banner bad" role="alert">
        <h2>The page failed. The recipe is safe: the program has it.</h2>
        <p>{this.state.error}</p>
        <button type="button" onClick={() => location.reload()}>Reload</button>
      </section>
    );
  }
}

const root = document.getElementById('studio');
if (root) createRoot(root).render(<Guard><Studio /></Guard>);
