import { expect, test } from 'vitest';
import { withSizes } from './picture-sizes.ts';

test.each([
  ['![a|200](b.png)', '![a](b.png){ width="200" }', '![a|200](b.png)'],
  ['![|20x10](b.png "t") x', '![](b.png "t"){ width="20" height="10" } x', '![|20x10](b.png "t") x'],
  ['![a](b.png =20x)', '![a](b.png){ width="20" }', '![a|20](b.png)'],
  ['![a](b.png){width=20}', '![a](b.png){width=20}', '![a|20](b.png)'],
  ['![a](b.png){ .c width="20px" }', '![a](b.png){ .c width="20px" }', '![a|20](b.png){.c}'],
  ['![a|20](b.png){.c}', '![a](b.png){ width="20" .c }', '![a|20](b.png){.c}'],
  ['| ![a\\|20](b.png) |', '| ![a](b.png){ width="20" } |', '| ![a\\|20](b.png) |'],
  ['| ![a](b.png){width=20} |', '| ![a](b.png){width=20} |', '| ![a\\|20](b.png) |'],
  ['[![a|20](b.png)](c)', '[![a](b.png){ width="20" }](c)', '[![a|20](b.png)](c)'],
  ['`![a|20](b.png)` ![a](b.png){width=50%}', undefined, undefined],
])('%s', (text, attributes, label) => {
  expect(withSizes(text, 'attributes')).toBe(attributes ?? text);
  expect(withSizes(text, 'label')).toBe(label ?? text);
});
