/**
 * Maps fragments of other systems to headings. GitHub writes `#script-validation-rules` for “Script validation rules”,
 * MediaWiki `#Script_validation_rules`; the wiki uses the heading's own ID.
 */
export type Anchors = ReadonlyMap<string, string>;

/** Map from every spelling of a heading's fragment, in lower case, to its ID. `ids`: in document order. */
export function anchorsOf(headings: readonly { id: string; title: string }[]): Anchors {
  const anchors = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { id, title } of headings) {
    const slug = slugLike(title);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    // GitHub numbers repeated headings from 1: the second one is `-1`.
    for (const key of [count === 0 ? slug : `${slug}-${count}`, slugLike(id)]) {
      if (!anchors.has(key)) anchors.set(key, id);
    }
  }
  return anchors;
}

export function anchorFor(anchors: Anchors, fragment: string): string | undefined {
  return anchors.get(slugLike(fragment.replace(/^user-content-/i, '')));
}

function slugLike(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/[^\p{L}\p{N}-]+/gu, '');
}
