/**
 * Sizes of pictures as programs of sites understand them. Texts of the wiki have them in several forms:
 *
 *   ![oak|200](oak.png)  ![oak](oak.png =200x100)  ![oak](oak.png){width=200}
 *
 * Programs read one of two forms: attributes, `![oak](oak.png){ width="200" }`, or the label, `![oak|200](oak.png)`.
 */
import { linkPlaces } from '@coppice/markdown';

export type SizeForm = 'attributes' | 'label';

const inLabel = /^([\s\S]*?)\s*\\?\|\s*(\d{1,5})(?:x(\d{1,5}))?\s*$/;
const inAddress = /(?<![ \t])[ \t]+=(\d{1,5})?(?:x(\d{1,5})?)?[ \t]*$/;
const braces = /^\{:?([^{}\n]{1,1000})\}/;
const attribute = /(?:^|\s)(width|height)=["']?(\d{1,5})(?:px)?["']?(?=\s|$)/g;

/** Everything but the sizes is kept byte for byte. */
export function withSizes(text: string, form: SizeForm): string {
  let out = '';
  let from = 0;
  for (const place of linkPlaces(text)) {
    if (place.kind !== 'address' || !place.isImage || place.isDefinition || place.start < from) continue;
    const whole = text.slice(place.start, place.end);
    const behind = text.slice(place.end, place.end + 1002);
    const line = text.slice(text.lastIndexOf('\n', place.start) + 1, place.start);
    const bar = line.includes('|') ? '\\|' : '|';
    const sized = sizedPicture({ whole, target: place.target.start - place.start, behind, bar }, form);
    if (sized === undefined) continue;
    out += text.slice(from, place.start) + sized.text;
    from = place.end + sized.taken;
  }
  return out + text.slice(from);
}

/** `target`: start of the address. `taken`: length of what stood behind the picture. Undefined if nothing has to change. */
function sizedPicture(
  { whole, target, behind, bar }: { whole: string; target: number; behind: string; bar: string },
  form: SizeForm,
): { text: string; taken: number } | undefined {
  const opening = whole.slice(2, target);
  const end = opening.lastIndexOf('](');
  if (end < 0) return undefined;
  const [label, address] = [opening.slice(0, end), whole.slice(2 + end + 2, -1)];
  const labelled = inLabel.exec(label);
  const addressed = inAddress.exec(address);
  const [stated = '', inside = ''] = braces.exec(behind) ?? [];
  const named = new Map([...inside.matchAll(attribute)].map(([, side, size]) => [side, size]));
  const width = labelled?.[2] ?? addressed?.[1] ?? named.get('width');
  const height = labelled?.[3] ?? addressed?.[2] ?? named.get('height');
  const isSo = form === 'label' ? labelled && named.size === 0 : named.size > 0 && !labelled && !addressed;
  // A label has no height alone.
  if (isSo || (width === undefined && height === undefined) || (form === 'label' && width === undefined))
    return undefined;
  const words = labelled?.[1] ?? label;
  const rest = inside.replace(attribute, ' ').trim();
  const bare = address.replace(inAddress, '');
  if (form === 'label') {
    const size = `${bar}${width}${height === undefined ? '' : `x${height}`}`;
    return { text: `![${words}${size}](${bare})${rest && `{${rest}}`}`, taken: stated.length };
  }
  const sizes = Object.entries({ width, height }).flatMap(([side, size]) =>
    size ? `${side}="${size}"` : [],
  );
  return {
    text: `![${words}](${bare}){ ${[...sizes, ...(rest ? [rest] : [])].join(' ')} }`,
    taken: stated.length,
  };
}
