/** The entry of pages that are read. */
import { showCards } from './page/cards.ts';
import { markCurrentSection } from './page/contents.ts';
import { drawDiagrams } from './page/diagrams.ts';
import { keepTableHeads, stopAtScrollBoxes } from './page/tables.ts';

showCards();
markCurrentSection();
keepTableHeads();
stopAtScrollBoxes();
drawDiagrams();
