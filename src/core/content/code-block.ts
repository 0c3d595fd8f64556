/** A Markdown code block for any text; its fence is longer than any run of backticks within. */
export function codeBlock(code: string, language = ''): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
