/** Opens the comments beside the text when a reader asks for them; the scripts and the threads are loaded only then. */

/** Listens for what opens comments: the link, an address of a comment, and words that a member selects. */
export function waitForComments(): void {
  const link = document.querySelector<HTMLAnchorElement>('a[data-comments]');
  const text = document.querySelector<HTMLElement>('.page > .markup');
  if (!link) return;
  const load = () => import('./comments-panel.ts');
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void load().then(({ openPanel }) => openPanel(link, text));
  });
  const openNamed = () => {
    const [, id] = /^#(comment-\d+)$/.exec(location.hash) ?? [];
    if (id) void load().then(({ openPanel }) => openPanel(link, text, { id }));
  };
  addEventListener('hashchange', openNamed);
  openNamed();
  if (link.dataset.comments === 'read' || !text) return;
  let timer = 0;
  document.addEventListener('selectionchange', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      void load().then(({ offerToComment }) => offerToComment(link, text));
    }, 300);
  });
}
