/**
 * Pictures with clickable areas, which this wiki does not have:
 *
 *   <imagemap>                      [[File:Map.png|300px|link=Garden]]
 *   File:Map.png|300px
 *   rect 0 0 10 10 [[Oak]]          [[Oak]] · [[Elm|the elm]]
 *   circle 5 5 3 [[Elm|the elm]]
 *   default [[Garden]]
 *   </imagemap>
 */
const map = /<imagemap\b[^<>]*>\s*([^|\n]{1,500})((?:\|[^\n]*)?)\n([\s\S]*?)<\/imagemap\s*>/i;

/** The picture and, below it, the links of its areas; undefined if it names no picture. */
export function pictureOfMap(element: string): string | undefined {
  const [, name = '', options = '', areas = ''] = map.exec(element) ?? [];
  if (!name.includes(':')) return undefined;
  const links = areas.split('\n').flatMap((line) => {
    const [, kind = '', link = ''] =
      /^\s*(rect|circle|poly|default)\b[\s\d.,-]*(\[\[[^[\]\n]{1,500}\]\]|\[[^[\]\n]{1,1000}\])/i.exec(
        line,
      ) ?? [];
    return link === '' ? [] : [{ kind: kind.toLowerCase(), link }];
  });
  const whole = links.find(({ kind }) => kind === 'default')?.link;
  const target = /^\[\[\s*([^|[\]]+)/.exec(whole ?? '')?.[1] ?? /^\[([^\s[\]]+)/.exec(whole ?? '')?.[1];
  const own =
    /\|\s*(?:link|verweis)\s*=/i.test(options) || target === undefined ? '' : `|link=${target.trim()}`;
  const others = links.filter(({ kind }) => kind !== 'default').map(({ link }) => link);
  return [`[[${name.trim()}${options}${own}]]`, others.join(' · ')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The text with pictures in place of all maps. */
export function withoutImageMaps(text: string): string {
  const start = /<imagemap\b/gi;
  const end = /<\/imagemap\s*>/gi;
  let out = '';
  let from = 0;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    end.lastIndex = found.index;
    if (!end.test(text)) break;
    const picture = pictureOfMap(text.slice(found.index, end.lastIndex));
    if (picture !== undefined) {
      out += text.slice(from, found.index) + picture;
      from = end.lastIndex;
    }
    start.lastIndex = end.lastIndex;
  }
  return out + text.slice(from);
}
