/** HTML of the clipboard as what it means: what word processors and spreadsheets write is no list and no header by itself. */

const sheets = /<style\b[^<>]*>[\s\S]*?<\/style\s*>/gi;

/** Makes HTML that the schema reads. `fileName`: the file of this page that a picture is. */
export function tidied(html: string, fileName: (url: string) => string | undefined): string {
  // Style sheets would be refused by the policy of the page.
  const { body } = new DOMParser().parseFromString(html.replace(sheets, ''), 'text/html');
  for (const image of body.querySelectorAll('img')) {
    // Copies within the editor name their file.
    if (image.closest('[data-source]')) continue;
    const file = fileName(image.src);
    const value = JSON.stringify({ file, alt: image.alt || null });
    if (file !== undefined) {
      image.setAttribute('data-type', 'image');
      image.setAttribute('data-source', value);
    } else image.replaceWith(image.alt);
  }
  for (const block of body.querySelectorAll('details, summary')) renamed(block, 'div');
  for (const line of body.querySelectorAll('br')) if (isBetweenBlocks(line)) line.remove();
  const bold = boldClasses(html);
  for (const table of body.querySelectorAll('table')) nameHeaders(table, bold);
  listsOfWord(body);
  return body.innerHTML;
}

function renamed(element: Element, name: string): Element {
  const made = element.ownerDocument.createElement(name);
  for (const { name: key, value } of element.attributes) made.setAttribute(key, value);
  made.append(...element.childNodes);
  element.replaceWith(made);
  return made;
}

/** Google Docs writes empty lines so. */
function isBetweenBlocks({ previousElementSibling: before, nextElementSibling: after }: Element): boolean {
  const blocks = 'p, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, div, hr, br';
  return before?.matches(blocks) === true && after?.matches(blocks) === true;
}

/** Classes of the style sheet that Excel writes. */
function boldClasses(html: string): ReadonlySet<string> {
  const rules = (html.match(sheets) ?? [])
    .join('')
    .matchAll(/\.([\w-]+)\s*\{[^{}]*font-weight\s*:\s*(?:bold|[6-9]00)/gi);
  return new Set(Array.from(rules, ([, name = '']) => name));
}

/** The first row of a table without header cells becomes one of them if it is bold. */
function nameHeaders(table: HTMLTableElement, boldClasses: ReadonlySet<string>): void {
  const first = table.rows[0];
  if (table.querySelector('th') || !first || table.rows.length < 2) return;
  const isBold = (cell: HTMLElement) =>
    /bold|[6-9]00/.test(cell.style.fontWeight) ||
    [...cell.classList].some((name) => boldClasses.has(name)) ||
    (cell.firstElementChild?.matches('b, strong') === true && cell.childElementCount === 1);
  if (![...first.cells].every((cell) => cell.textContent === '' || isBold(cell))) return;
  for (const cell of [...first.cells]) {
    const header = renamed(cell, 'th') as HTMLElement;
    header.style.fontWeight = '';
    for (const bold of header.querySelectorAll('b, strong')) bold.replaceWith(...bold.childNodes);
  }
}

/** Word writes the items of lists as paragraphs that name their level, with the bullet or number in a span. */
function listsOfWord(body: HTMLElement): void {
  /** Lists around the last item, from the outside. */
  let open: Element[] = [];
  let last: Element | undefined;
  for (const line of body.querySelectorAll<HTMLElement>('[style*="mso-list" i]')) {
    const style = line.getAttribute('style') ?? '';
    const level = Number(/mso-list:\s*\S+\s+level(\d)/i.exec(style)?.[1]);
    const sign = line.querySelector('[style*="mso-list:ignore" i], [style*="mso-list: ignore" i]');
    if (!level || !sign) continue;
    const name = /^\W*(?:\d+|[a-z]{1,4})[.)]/i.test(sign.textContent ?? '') ? 'ol' : 'ul';
    sign.remove();
    if (!last || line.previousElementSibling !== last) open = [];
    open.length = Math.min(open.length, level);
    // Another kind of list at this level.
    if (open[level - 1]?.localName.toLowerCase() !== name) open.length = Math.min(open.length, level - 1);
    while (open.length < level) {
      const list = body.ownerDocument.createElement(name);
      const around = open.at(-1);
      if (around)
        (around.lastElementChild ?? around.appendChild(body.ownerDocument.createElement('li'))).append(list);
      else line.before(list);
      open.push(list);
    }
    const item = renamed(line, 'li');
    item.removeAttribute('style');
    open[level - 1]?.append(item);
    last = open[0];
  }
}
