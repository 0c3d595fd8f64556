/** Entry point of all pages. Each part enhances existing elements and works without the others. */
import { loadStyle } from './element.ts';
import { offerCopies } from './site/copying.ts';
import { hideHeaderDownwards } from './site/header.ts';
import { localTimes } from './site/local-times.ts';
import { completeMentions } from './site/mentions.ts';
import { showLateNotice } from './site/notice.ts';
import { reloadForOthers } from './site/returning.ts';
import { completeSearch } from './site/search-box.ts';
import { closeSheets } from './site/sheets.ts';
import { switchTheme } from './site/theme-switch.ts';
import { growTrees } from './site/tree.ts';
import { resizeTree } from './site/tree-width.ts';

document.documentElement.classList.add('scripted');
for (const enhance of [
  showLateNotice,
  reloadForOthers,
  localTimes,
  growTrees,
  resizeTree,
  completeSearch,
  completeMentions,
  switchTheme,
  closeSheets,
  offerCopies,
  hideHeaderDownwards,
]) {
  try {
    enhance();
  } catch (error) {
    // A part that fails in this browser must not affect the others.
    console.error(error);
  }
}
void loadStyle('site.css');
