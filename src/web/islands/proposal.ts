/** Entry point of a proposal: a button quotes words that are selected in the new text of a change, for a comment on them. */
import { hideOffer, offerBeside } from './offer.ts';
import { say } from './words.ts';

const maxLength = 2000;

// Words may have been selected before the script was loaded.
let timer = window.setTimeout(offer, 300);
document.addEventListener('selectionchange', () => {
  clearTimeout(timer);
  timer = window.setTimeout(offer, 300);
});

function offer(): void {
  const selection = getSelection();
  const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : undefined;
  const section = range && elementOf(range.commonAncestorContainer)?.closest('.proposal-change');
  const field = section?.querySelector<HTMLTextAreaElement>('textarea[name=quote]');
  const words = range && section ? newWordsIn(section, range) : '';
  hideOffer();
  if (!range || !field || words === '' || words.length > maxLength) return;
  offerBeside(range.getBoundingClientRect(), say('scriptCommentsPanel.comment'), () => {
    hideOffer();
    field.value = words;
    field.closest('details')?.setAttribute('open', '');
    field.form?.querySelector<HTMLTextAreaElement>('[name=text]')?.focus();
  });
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}

/** Selected words of the lines that the proposed text has, one line each: without numbers, signs and what is removed. */
function newWordsIn(section: Element, range: Range): string {
  const lines = Array.from(section.querySelectorAll('.diff td.text:not(.removed)'), (cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT, (node) =>
      !range.intersectsNode(node) || node.parentElement?.closest('del, .sign, .unseen')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    let line = '';
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { data } = node as Text;
      const end = node === range.endContainer ? range.endOffset : data.length;
      line += data.slice(node === range.startContainer ? range.startOffset : 0, end);
    }
    return line;
  });
  return lines
    .filter((line) => line !== '')
    .join('\n')
    .trim();
}
