import { createRoot } from 'react-dom/client';
import { Studio } from '../shell/studio';

const root = document.getElementById('studio');
if (root) createRoot(root).render(<Studio />);
