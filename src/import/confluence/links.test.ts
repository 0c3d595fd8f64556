import { expect, test } from 'vitest';
import type { LinkPlan } from '../source.ts';
import { ConfluenceLinks } from './links.ts';

const links = new ConfluenceLinks();
for (const [key, space, title] of [
  ['1', 'GA', 'Oak'],
  ['2', 'KI', 'Oak'],
  ['3', 'GA', 'A [b] # c'],
  ['4', 'GA', 'CI/CD 2.0'],
] as const)
  links.add({ key, space, title, isPost: false });
links.add({ key: '5', space: 'GA', title: 'Oak', isPost: true });
links.addHeadings('1', '<h2><strong>The bark</strong> of it</h2>');

const plan: LinkPlan = {
  parent: '',
  pageOf: (key) => (key < '5' ? { path: `/page-${key}`, title: '' } : undefined),
  pathOfTitle: () => undefined,
};
const elsewhere = (space: string, title: string) => (space === 'FI' ? `/field/${title}` : undefined);

test.each([
  ['[[Oak]]', '[[/page-1|Oak]]'],
  ['[[KI:Oak|o]]', '[[/page-2|o]]'],
  ['[[ki:Oak]]', '[[/page-2|ki:Oak]]'],
  ['[[A b c]]', '[[/page-3|A b c]]'],
  ['[[CI/CD 2.0|x]]', '[[/page-4|x]]'],
  ['[[FI:Elm]]', '[[/field/Elm|FI:Elm]]'],
  ['[[NO:Oak|x]]', '[[NO:Oak|x]]'],
  ['![[Oak/a.png]]', '![[/page-1/a.png]]'],
  ['[[Media:KI:Oak/a.pdf|a]]', '[[Media:/page-2/a.pdf|a]]'],
  ['[[Oak#Thebarkofit|x]]', '[[/page-1#The bark of it|x]]'],
  ['[x](#Oak-Thebarkofit)', '[x](#The_bark_of_it)'],
  ['[[#The-bark-of-it|x]]', '[[#The bark of it|x]]'],
  ['[x](/display/KI/Oak)', '[x](/page-2)'],
  ['[x](/pages/viewpage.action?pageId=2)', '[x](/page-2)'],
])('%s leads to %s', (written, adapted) => {
  expect(links.adapt('1', written, plan, elsewhere).text).toBe(adapted);
});
