/** Entry point of reading pages. */

import { markCurrentSection } from './page/contents.ts';
import { drawDiagrams } from './page/diagrams.ts';
import { showLinkPreviews } from './page/link-previews.ts';
import { keepTableHeads, stopAtScrollBoxes } from './page/tables.ts';

showLinkPreviews();
markCurrentSection();
keepTableHeads();
stopAtScrollBoxes();
drawDiagrams();
if (document.querySelector('.markup table.sortable'))
  void import('./page/sorting.ts').then(({ sortTables }) => sortTables());
