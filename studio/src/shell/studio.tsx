// The page: where its parts stand.
import { useEffect } from 'react';
import { useStudio } from '../page/store';
import { askTargets } from '../page/targets';
import { Banners } from './banners';
import { Dialogs } from './dialogs';
import { Dock } from './dock';
import { DropZone } from './drop';
import { useKeys } from './keys';
import { PresetStrip } from './presets';
import { Side } from './side';
import { StatusBar } from './status_bar';
import { TopBar } from './top_bar';
import { ViewArea } from './view_area';

export function Studio() {
  useKeys();
  const strip = useStudio((s) => s.strip);
  const settled = useStudio((s) => s.settled !== null);
  useEffect(() => {
    if (settled) void askTargets();
  }, [settled]);
  return (
    <DropZone>
      <TopBar />
      {strip ? <PresetStrip /> : null}
      <Banners />
      <main className="work">
        <ViewArea />
        <Side />
      </main>
      <Dock />
      <StatusBar />
      <Dialogs />
    </DropZone>
  );
}
