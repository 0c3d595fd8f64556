/** Compares the HTML as a browser parses it with what pages may contain. */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

const elements = new Set(
  'a abbr b bdi bdo big blockquote br caption center cite code data dd del details dfn div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 hr i img input ins kbd li link mark meta nav ol p pre q rb rp rt rtc ruby s samp small span strike strong sub summary sup table tbody td th time tr tt u ul var wbr audio video'.split(
    ' ',
  ),
);
const attributes = new Set(
  'id class style lang dir title tabindex role align valign bgcolor width height nowrap abbr axis headers scope rowspan colspan char charoff border cellpadding cellspacing frame rules summary checked clear disabled open noshade size type start reversed value color face datetime rel href content alt src decoding loading typeof controls preload loop muted itemid itemprop itemref itemscope itemtype data-line'.split(
    ' ',
  ),
);
/** Data attributes of no known script; `reserved-data.test.ts` compares the list of the engine with the scripts. */
const harmlessData = /^data-(?!(?:mw|ooui|parsoid|source|tree|map|url|path|member|preview)\b)/;
const voids = new Set(['br', 'hr', 'wbr', 'img', 'input', 'meta', 'link']);
const links =
  /^(?:https?:|ftps?:|\/\/|\/|#|mailto:|news:|irc:|ircs:|tel:|sms:|geo:|git:|gopher:|magnet:|mms:|nntp:|redis:|sftp:|sips?:|ssh:|svn:|telnet:|urn:|worldwind:|xmpp:|matrix:|bitcoin:)/i;

type Tree = DefaultTreeAdapterTypes.ParentNode;

/** Everything in `html` that no page may contain. */
export function offences(html: string): string[] {
  const found: string[] = [];
  visit(parseFragment(html), found);
  return found;
}

function visit(parent: Tree, found: string[]): void {
  for (const node of parent.childNodes) {
    if (node.nodeName === '#comment') found.push('a comment');
    if (!('tagName' in node)) continue;
    const { tagName } = node;
    if (!elements.has(tagName)) found.push(`<${tagName}>`);
    const isBox =
      node.attrs.some(({ name }) => name === 'disabled') &&
      node.attrs.some(({ value }) => value === 'checkbox');
    // Elements without `rel` or `http-equiv` are metadata and have no effect.
    const isMicrodata = node.attrs.every(({ name }) => /^(?:itemprop|content|href)$/.test(name));
    if ((tagName === 'meta' || tagName === 'link') && !isMicrodata) found.push(`<${tagName}> that acts`);
    if (tagName === 'input' && !isBox) found.push('an input that is no box of a task');
    for (const { name, value } of node.attrs) {
      const isOwn =
        name.startsWith('aria-') ||
        (harmlessData.test(name) && name !== 'data-lat' && name !== 'data-lon') ||
        (tagName === 'li' && (name === 'data-lat' || name === 'data-lon'));
      if (!attributes.has(name) && !isOwn) found.push(`${tagName} ${name}`);
      if (name === 'href' && !links.test(value)) found.push(`href ${value}`);
      if (name === 'src' && !value.startsWith('/files/')) found.push(`src ${value}`);
      if (
        name === 'style' &&
        /url\s*\(|expression\s*\(|@import|\\|position\s*:\s*(?:fixed|absolute|sticky)/i.test(value)
      ) {
        found.push(`style ${value}`);
      }
    }
    visit(node, found);
  }
}

/** The first tag in `html` that is not closed where it should be, or undefined. */
export function imbalance(html: string): string | undefined {
  const open: string[] = [];
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>/g)) {
    const [tag, slash, name = ''] = match;
    if (slash === '/') {
      if (open.pop() !== name) return tag;
    } else if (!voids.has(name)) open.push(name);
  }
  const rest = html.replace(/<\/?[a-z][a-z0-9]*(?:[^<>"]|"[^"]*")*>/g, '');
  if (rest.includes('<')) return rest.slice(rest.indexOf('<'), rest.indexOf('<') + 40);
  return open.pop();
}
