/** Entry point of reading pages. */

import { waitForComments } from './page/comments.ts';
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
waitForComments();
if (document.querySelector('.markup table.sortable'))
  void import('./page/sorting.ts').then(({ sortTables }) => sortTables());
