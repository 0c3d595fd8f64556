/** Marks the current section in the table of contents: the last one whose heading has passed the upper part of the screen. */
export function markCurrentSection(): void {
  const links = [
    ...document.querySelectorAll<HTMLAnchorElement>('[data-contents] a, .thumbs .contents-list a'),
  ];
  const byId = Map.groupBy(links, (link) => decodeURIComponent(link.hash.slice(1)));
  const headings = [...byId.keys()].flatMap((id) => document.getElementById(id) ?? []);
  if (headings.length === 0) return;
  let current: string | undefined;

  const mark = () => {
    const line = innerHeight * 0.3;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= line);
    const id = (isAtEnd() ? headings.at(-1) : passed.at(-1))?.id;
    if (id === current) return;
    for (const link of byId.get(current ?? '') ?? []) link.removeAttribute('aria-current');
    for (const link of byId.get(id ?? '') ?? []) {
      link.setAttribute('aria-current', 'location');
      scrollWithin(link);
    }
    current = id;
  };
  // Only headings that cross the line can change it, so the observer fires for nothing else.
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -70% 0px', threshold: [0, 1] });
  for (const heading of headings) observer.observe(heading);
  addEventListener('scrollend', mark, { passive: true });
  mark();
}

function isAtEnd(): boolean {
  return scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
}

/** Scrolls only the box of a long table of contents. */
function scrollWithin(link: HTMLElement): void {
  const box = link.closest<HTMLElement>('[data-contents], .sheet');
  if (!box || box.scrollHeight <= box.clientHeight) return;
  const [inner, outer] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
}
