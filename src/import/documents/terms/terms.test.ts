/** Markup of each program, before and after. */
import { expect, test } from 'vitest';
import type { Approximation, Kind } from '../../source.ts';
import { inOwnTerms } from '../own-terms.ts';
import { withFrontMatter } from './logseq.ts';

const id = '65a1b2c3-0000-4000-8000-0123456789ab';

const tables: Partial<Record<Kind, [before: string, after: string][]>> = {
  gitbook: [
    ['Inline $$y$$ and $$z$$\n\n$$a$$\n\n$$\nb\n$$', 'Inline $y$ and $z$\n\n$$a$$\n\n$$\nb\n$$'],
    [
      '{% swagger method="post" path="/a" baseUrl="https://b.org" summary="S" %}\n{% swagger-description %}\nD\n{% endswagger-description %}\n{% swagger-parameter in="path" name="id" type="string" %}\nP\n{% endswagger-parameter %}\n{% endswagger %}',
      '**S** **`POST https://b.org/a`**\n\nD\n\n**id** (path, string)\n\nP',
    ],
    [
      '{% hint style="warning" %}\nMind `{% x %}`\n\n- a\n{% endhint %}',
      '> [!warning]\n> Mind `{% x %}`\n>\n> - a',
    ],
    ['a {% hint style="success" %} Good {% endhint %}', 'a\n\n> [!tip]\n> Good'],
    [
      '{% tabs %}\n{% tab title="First one" %}\nA\n{% endtab %}\n{% tab title="B" %}\n```js\nb\n```\n{% endtab %}\n{% endtabs %}',
      '#### First one\n\nA\n\n#### B\n\n```js\nb\n```',
    ],
    [
      '{% hint style="info" %}\n{% tabs %}\n{% tab title="T" %}\nx\n{% endtab %}\n{% endtabs %}\n{% endhint %}',
      '> [!info]\n> #### T\n>\n> x',
    ],
    ['{% embed url="https://example.org/a" %}', '[https://example.org/a](<https://example.org/a>)'],
    ['{% embed url="https://example.org/a" %}\nA film\n{% endembed %}', '[A film](<https://example.org/a>)'],
    ['{% code title="a.js" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}', '**a.js**\n\n```js\na\n```'],
    ['{% content-ref url="oak.md" %}\n[oak.md](oak.md)\n{% endcontent-ref %}', '[oak.md](oak.md)'],
    ['{% file src=".gitbook/assets/a b.pdf" %}', '[a b.pdf](<.gitbook/assets/a b.pdf>)'],
    ['```\n{% hint style="info" %}\n{% endhint %}\n```', '```\n{% hint style="info" %}\n{% endhint %}\n```'],
    ['{% hint style="info" %} never closed', '{% hint style="info" %} never closed'],
    ['{% unknown %}', '{% unknown %}'],
  ],
  mdbook: [
    ['<div class="warning">\n\nMind **b**\n\n</div>', '> [!warning]\n> Mind **b**'],
    [
      '<Listing number="1-1" file-name="src/main.rs" caption="A <code>main</code>">\n\n```rust\nfn main() {}\n```\n\n</Listing>',
      '**src/main.rs**\n\n```rust\nfn main() {}\n```\n\n*Listing 1-1: A `main`*',
    ],
    ['{{#title Book}}\nText', 'Text'],
    ['A \\\\(a\\_1 \\\\alpha\\\\) and `\\\\(x\\\\)`', 'A \\(a_1 \\alpha\\) and `\\\\(x\\\\)`'],
    ['\\\\[\na \\\\\\\\ b\n\\\\]', '$$\na \\\\ b\n$$'],
    ['C:\\\\(a) and\n\n\\\\)', 'C:\\\\(a) and\n\n\\\\)'],
  ],
  mkdocs: [
    ['/// note | Title *x*\nBody\n///', '> [!note] Title *x*\n> Body'],
    ['/// details | Sum\n    type: warning\n    open: true\n\nBody\n///', '> [!warning]+ Sum\n> Body'],
    ['- a\n\n    /// hint\n    b\n    ///', '- a\n\n    > [!tip]\n    > b'],
    ['//// tab | A\n/// danger | T\nx\n///\n////', '**A**\n\n> [!danger] T\n> x'],
    ['/// figure-caption\nOne\n///\n/// figure-caption | 7\n*T*\n///', '*Figure 1. One*\n\nFigure 7. *T*'],
    ['/// define\nApple\n\n- A fruit\n  red\n///', 'Apple\n\n:   A fruit\n    red'],
    ['/// html | div.a\nin\n///\n/// never', 'in\n\n/// never'],
    ['```\n/// note\n///\n=== "A"\n```', '```\n/// note\n///\n=== "A"\n```'],
    [
      '=== "C"\n\n    ```c\n    a\n    ```\n\n=== "D"\n    d\n\nx',
      '**C**\n\n```c\na\n```\n\n**D**\n\nd\n\nx',
    ],
    ['!!! tip\n    === "A"\n        === "B"\n            x', '!!! tip\n    **A**\n\n    **B**\n\n    x'],
    ['++ctrl+arrow-up++ C++ and D++', '<kbd>Ctrl</kbd>+<kbd>Arrow Up</kbd> C++ and D++'],
    ['{++a++} {--b--} {~~c~>d~~} {==e==}', '<ins>a</ins> <del>b</del> <del>c</del><ins>d</ins> ==e=='],
    ['^^a^^ :material-clock:{ .x } `#!py b` `c`', '<ins>a</ins> `b` `c`'],
    ['<figure markdown="span">\n  ![a](a.png)\n</figure>', '<figure>\n\n![a](a.png)\n\n</figure>'],
    [
      '*[HTML]: Hyper "T"\nHTML `HTML` [HTML](HTML.md) XHTML',
      '<abbr title="Hyper &quot;T&quot;">HTML</abbr> `HTML` [<abbr title="Hyper &quot;T&quot;">HTML</abbr>](HTML.md) XHTML',
    ],
  ],
  docusaurus: [
    [
      "import Pic from './a.png';\n\n<img src={Pic} /> [f](pathname:///x.txt)",
      '<img src="./a.png" /> [f](/x.txt)',
    ],
    ['<summary>Toggle **me** `x`</summary>', '<summary>Toggle <strong>me</strong> <code>x</code></summary>'],
    [
      "<b style={{color: 'red', fontSize: 12}} className=\"x\">r</b> {'a'} <TOCInline toc={toc} />",
      '<b style="color: red; font-size: 12px" class="x">r</b> a\n\n[TOC]',
    ],
    ["import Tabs from '@theme/Tabs';\nimport {\n  A,\n} from './a';\n\nText", 'Text'],
    ['export const a = () => {\n  return 1;\n};\n\nText', 'Text'],
    ['## `useState(x)` {/*use-state*/}\n\n{/* hidden */}Text', '## `useState(x)` {#use-state}\n\nText'],
    [
      '<Tabs>\n  <TabItem value="a" label="Apple">\n    An apple\n  </TabItem>\n  <TabItem value="b">B</TabItem>\n</Tabs>',
      '#### Apple\n\nAn apple\n\n#### b\n\nB',
    ],
    ['<Note>\n\nRead **this**\n\n</Note>', '> [!note]\n> Read **this**'],
    ['<Callout type="error" title="Stop">x</Callout>', '> [!danger] Stop\n> x'],
    ['<Link to="/a">the `a`</Link>', '[the `a`](</a>)'],
    ['```jsx\nimport a from "b"\n<Tabs></Tabs>\n```', '```jsx\nimport a from "b"\n<Tabs></Tabs>\n```'],
    ['`<Note>` and a < B', '`<Note>` and a < B'],
    [
      '1. x\n\n   ```js title="a_b.js" {1}\n   // highlight-next-line\n   let a;\n   ```',
      '1. x\n\n   **a\\_b.js**\n\n   ```js title="a_b.js" {1}\n   let a;\n   ```',
    ],
    ['<Foo a={b} />', '<Foo a={b} />'],
    ['a <Highlight color="red">word</Highlight> <DocCardList />', 'a word\n\n{{Children}}'],
    [
      "<img src={useBaseUrl('/a.png')} />\n<img src={require('./b.png').default} />\n![c](c.png)",
      '<img src="/a.png" />\n<img src="./b.png" />\n\n![c](c.png)',
    ],
  ],
  hugo: [
    ['{{< figure src="a.png" width="300px" >}}', '![](<a.png>){width=300}'],
    ['{{< tweet user="a" id="7" >}} {{< x 8 >}}', '<https://x.com/i/status/7> <https://x.com/i/status/8>'],
    [
      '---\nversion: 2\n---\nv{{< param version >}} {{< param x >}}',
      '---\nversion: 2\n---\nv2 {{< param x >}}',
    ],
    ['{{< button relref="/a" >}}Go{{< /button >}} {{< katex >}}x^2{{< /katex >}}', '[Go](</a>) $x^2$'],
    ['{{< columns >}} a <---> b {{< /columns >}}', 'a\n\nb'],
    ['{{< figure src="a b.png" alt="A" caption="The A" >}}', '![A](<a b.png>)\n\n*The A*'],
    ['{{% notice tip %}}\nx\n{{% /notice %}}', '> [!tip]\n> x'],
    ['{{< alert color="danger" title="T" >}}x{{< /alert >}}', '> [!danger] T\n> x'],
    ['{{< highlight go "linenos=table" >}}\na := 1\n{{< /highlight >}}', '```go\na := 1\n```'],
    ['{{< tabpane >}}{{< tab "One" >}}1{{< /tab >}}{{< /tabpane >}}', '#### One\n\n1'],
    ['{{< youtube abc >}}', '<https://www.youtube.com/watch?v=abc>'],
    ['{{< mine x >}}', '{{< mine x >}}'],
    ['{{< tabpane >}}{{% tab header="Linux" lang="bash" %}}a{{% /tab %}}{{< /tabpane >}}', '#### Linux\n\na'],
    ['{{< figure src="a.png" title="T" caption="C" >}}', '![C](<a.png>)\n\n**T** *C*'],
    ['{{< expand "More" >}}\nx\n{{< /expand >}}', '> [!note] More\n> x'],
    ['Write `{{</* youtube a */>}}` or {{%/* note */%}}', 'Write `{{< youtube a >}}` or {{% note %}}'],
  ],
  outline: [
    [
      'a\n\n+++ More & **so**\n\nin\n\n+++\n\nb',
      'a\n\n<details>\n<summary>More &amp; <strong>so</strong></summary>\n\nin\n\n</details>\n\nb',
    ],
    [
      '![a](uploads/a.png " =200x100") ![b](b.png "Title")',
      '![a](uploads/a.png){width=200 height=100} ![b](b.png "Title")',
    ],
    ['+++\ntitle = "x"\n+++\ny', '+++\ntitle = "x"\n+++\ny'],
  ],
  jekyll: [
    ['{% highlight ruby linenos %}\nputs 1\n{% endhighlight %}', '```ruby\nputs 1\n```'],
    ['# A\n{: .no_toc }\n\n{:toc}', '# A\n\n\n[TOC]'],
    ['{% raw %}{{ a }}{% endraw %}', '\\{{ a }}'],
    ['```\n{% raw %}{% if %}{{ a }}{% endraw %}\n```', '```\n{% if %}{{ a }}\n```'],
    ['x\n\n| a | b |\n| 1 | 2 |', 'x\n\n|   |   |\n|---|---|\n| a | b |\n| 1 | 2 |'],
    ['| a |\n|---|\n| 1 |', '| a |\n|---|\n| 1 |'],
    ['* TOC\n{:toc}\n\nx', '[TOC]\n\nx'],
    ['a {% comment %}b{% endcomment %}{% assign x = 1 %}c', 'a c'],
    ['{% for post in site.posts %}\n- [{{ post.title }}]({{ post.url }})\n{% endfor %}\nx', 'x'],
    ['---\ntitle: Oak\n---\n{{ page.title }} {{ page.none }}', '---\ntitle: Oak\n---\nOak \\{{ page.none }}'],
    ['> a\n> b\n{: .prompt-tip }', '> [!tip]\n> a\n> b'],
    ['{: .warning }\nMind\nthis\n\nx', '> [!warning]\n> Mind\n> this\n\nx'],
    ['[a]({% post_url 2024-01-02-oak %})', '[a](/_posts/2024-01-02-oak)'],
  ],
  wikijs: [
    ['# A `b`\n{#c}\n\nText', '# A `b` {#c}\n\nText'],
    ['## A\n\n{#c}\nText', '## A {#c}\nText'],
    ['Text\n\n{#here}\n\nMore', 'Text\n\n<span id="here"></span>\n\nMore'],
    ['> Use `x`\n{.is-info}', '> [!info]\n> Use `x`'],
    ['```\n{#c}\n```', '```\n{#c}\n```'],
    ['H~2~O `~a~` ~~b~~', 'H<sub>2</sub>O `~a~` ~~b~~'],
  ],
  logseq: [
    ['- TODO water\n- DONE prune', '- [ ] water\n- [x] prune'],
    [`- An oak\n  collapsed:: true\n  id:: ${id}\n- next`, `- An oak ^${id}\n- next`],
    ['- collapsed:: true\n  An elm\n- b', '- An elm\n- b'],
    [`- a\n  id:: ${id}\n  b\n  c\n  - d`, `- a\n  b\n  c ^${id}\n  - d`],
    [`- a\n  id:: ${id}\n  > q`, `- a ^${id}\n  > q`],
    [`see ((${id}))`, `see [[Oak#^${id}|An oak]]`],
    [`[that](((${id})))`, `[[Oak#^${id}|that]]`],
    [`{{embed ((${id}))}} {{embed [[Elm]]}}`, `![[Oak#^${id}]] ![[Elm]]`],
    ['[the elm]([[Elm]])', '[[Elm|the elm]]'],
    ['- ![a](a.png){:height 20, :width 30}', '- ![a](a.png){height=20 width=30}'],
    ['- DONE a\n  :LOGBOOK:\n  CLOCK: [x]\n  :END:\n- b', '- [x] a\n- b'],
    ['- #+BEGIN_NOTE\n  a\n  b\n  #+END_NOTE\n- c', '- > [!note]\n  > a\n  > b\n- c'],
    ['#+BEGIN_SRC js\na\n#+END_SRC\n#+BEGIN_QUOTE\nnever', '```js\na\n```\n#+BEGIN_QUOTE\nnever'],
    ['- ^^light^^ {{query (and [[A]] (todo NOW))}}', '- ==light== `{{query (and [[A]] (todo NOW))}}`'],
    [`\`((${id}))\``, `\`((${id}))\``],
  ],
};

const cases = Object.entries(tables).flatMap(([kind, rows]) =>
  rows.map(([before, after]) => ({ kind: kind as Kind, before, after })),
);

const around = (kind: Kind) => ({
  kind,
  key: 'a.md',
  blockOf: (wanted: string) => (wanted === id ? { page: 'Oak', line: '**An** `oak`' } : undefined),
});

/** Blank lines and spaces at the end of lines have no meaning. */
function withoutSpace(text: string): string {
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

test.each(cases)('$kind: $before', ({ kind, before, after }) => {
  const approximated: Approximation[] = [];
  const body = inOwnTerms(before, around(kind), approximated);
  expect(withoutSpace(body)).toBe(withoutSpace(after));
  // Everything that changed, and every foreign tag outside code, is named.
  if (body !== before) expect(approximated).not.toEqual([]);
});

test('properties of a Logseq page are its front matter', () => {
  expect(withFrontMatter('title:: The oak\nalias:: Quercus, [[Eiche]]\ntags:: #tree, wood\n\n- Text')).toBe(
    '---\ntitle: The oak\nalias:\n  - Quercus\n  - Eiche\ntags:\n  - tree\n  - wood\n---\n\n- Text',
  );
  expect(withFrontMatter('- a:: b')).toBe('---\na: b\n---\n');
  expect(withFrontMatter('- plain')).toBe('- plain');
});

test('work grows only with the length of the text', () => {
  const pieces = [
    '{% hint %}',
    '<Note>',
    '{{< a >}}',
    '{{% notice ',
    '{#a}\n',
    '# a\n',
    '((',
    'import {',
    '> a\n',
    '{/*',
    '<Tabs a="',
    '{% for a %}',
    '{% comment %}',
    '> a\n{: .b',
    '#+BEGIN_NOTE\n',
    ':LOGBOOK:\n',
    '{{</* ',
    '^^a',
  ];
  for (const kind of [
    'gitbook',
    'docusaurus',
    'hugo',
    'jekyll',
    'wikijs',
    'logseq',
    'mdbook',
    'mkdocs',
  ] as const)
    for (const piece of pieces) {
      // Quadratic work would exceed the test's time limit by far.
      inOwnTerms(piece.repeat(100_000 / piece.length), around(kind), []);
    }
  for (const piece of ['/// a\n', '/// a\n///\n', '=== "a"\n', '++a+', '*[a]: b\n', '<div markdown>\n'])
    inOwnTerms(piece.repeat(60_000 / piece.length), around('mkdocs'), []);
});
