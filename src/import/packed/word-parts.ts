/** Parts of documents of Word that the library passes over in silence: hidden text, fields, sizes of pictures, drawings. */

/** Elements of charts, diagrams and embedded objects. */
const drawn = /<(c:chart|dgm:relIds|o:OLEObject)\b/g;
/** EMU per pixel. */
const perPixel = 9525;
const mark = '\uE0F3';

/** `missed`: collects the names of elements that show something, and are left out. */
export function withWordsOfFields(xml: string, missed: Set<string>): string {
  for (const [, name = ''] of xml.matchAll(drawn)) missed.add(name);
  const shown = withoutHiddenRuns(xml, missed);
  // The words of a simple field are within it.
  return withMarkedSizes(shown.replace(/<\/?w:fldSimple\b[^<>]*>/g, ''));
}

function withoutHiddenRuns(xml: string, missed: Set<string>): string {
  const hidden = /<w:vanish(?:\s+w:val="(?:1|true|on)")?\s*\/>/;
  let out = '';
  let from = 0;
  const start = /<w:r(?:\s[^<>]*)?>\s*<w:rPr>/g;
  for (let found = start.exec(xml); found; found = start.exec(xml)) {
    const end = xml.indexOf('</w:rPr>', start.lastIndex);
    if (end < 0) break;
    if (!hidden.test(xml.slice(start.lastIndex, end))) continue;
    const close = xml.indexOf('</w:r>', end);
    // A run that holds others, such as those of a text box, is kept.
    if (close < 0 || /<w:r[\s>]/.test(xml.slice(end, close))) continue;
    missed.add('w:vanish');
    out += xml.slice(from, found.index);
    from = close + '</w:r>'.length;
    start.lastIndex = from;
  }
  return out + xml.slice(from);
}

/** The width at which a picture is shown goes into its description. */
function withMarkedSizes(xml: string): string {
  return xml.replace(
    /<wp:extent\s[^<>]{0,200}?\bcx="(\d{1,12})"[^<>]{0,200}>(?:(?!<wp:docPr\b)[\s\S]){0,2000}<wp:docPr\b[^<>]{0,5000}>/g,
    (written, width: string) => {
      const size = `${mark}${Math.round(Number(width) / perPixel)}${mark}`;
      const at = written.lastIndexOf('<wp:docPr') + '<wp:docPr'.length;
      const [before, picture] = [written.slice(0, at), written.slice(at)];
      const described = picture.replace(/(\sdescr=")/, `$1${size}`);
      return before + (described === picture ? ` descr="${size}"${picture}` : described);
    },
  );
}

/** Pictures with the widths of their marks, in HTML. */
export function withSizesOfMarks(html: string): string {
  return html.replace(new RegExp(`alt="${mark}(\\d+)${mark}`, 'g'), 'width="$1" alt="');
}
