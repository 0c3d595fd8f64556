/** Lists what each language lacks, for `npm run translate:missing`: the messages as JSON, to be translated. */
import { type Key, keys } from './en.ts';
import { catalogueOf, english, siteLanguages } from './languages.ts';

for (const { tag, name } of siteLanguages) {
  if (tag === english) continue;
  const known = catalogueOf(tag);
  const missing = (Object.keys(keys) as Key[]).filter((key) => known[key] === undefined);
  process.stdout.write(`${name} (${tag}) lacks ${missing.length} of ${Object.keys(keys).length} messages.\n`);
  const asked = process.argv.includes(tag);
  if (asked)
    process.stdout.write(
      `${JSON.stringify(Object.fromEntries(missing.map((key) => [key, keys[key]])), null, 2)}\n`,
    );
}
