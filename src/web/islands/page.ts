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
// Browsers without this selector cannot show collapsed facts by style on wide screens.
if (!CSS.supports('selector(::details-content)') && matchMedia('(min-width: 720px)').matches)
  document.querySelector('.about')?.setAttribute('open', '');
if (document.querySelector('.markup table.sortable'))
  void import('./page/sorting.ts').then(({ sortTables }) => sortTables());
