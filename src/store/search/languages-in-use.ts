/** Languages of the pages that a reader sees, by which the words of a search are reduced to their stems. */
import { sql } from 'kysely';
import { anyContent, namesOfPages, newPages } from '#cache/dependency.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { CachedLists } from '../cached-lists.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';

/** More in one wiki are not searched by stems. */
const mostLanguages = 20;

/** Without that of the wiki. Each is found by one look at the index of languages. */
export async function languagesInUse(
  session: Session,
  known: CachedLists<string>,
  visibility: Visibility,
): Promise<string[]> {
  const after = (language: string) => sql`(select p.language from pages p
    where p.language > ${sql.raw(language)} and ${visible('p', visibility)} order by p.language, p.id limit 1)`;
  const list = await known.get(session, visibility, async () => {
    const found = await rowsOf(
      session,
      sql<{ language: string }>`with recursive used (language, number) as (
          select ${after("''")}, 1
          union all
          select ${after('used.language')}, used.number + 1 from used
          where used.language is not null and used.number < ${sql.lit(mostLanguages)}
        ) select language from used where language is not null`,
    );
    const pages = found.map(({ language }) => language);
    return { pages, total: pages.length, dependencies: [namesOfPages, newPages, anyContent] };
  });
  return list.pages;
}
