/** The marks that tokens of the parser and tags of HTML stand for. */
export const marksOfTokens: Readonly<Record<string, string>> = {
  strong: 'bold',
  em: 'italic',
  s: 'strike',
  mark: 'highlight',
  sup: 'sup',
  sub: 'sub',
};
export const marksOfTags: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strike',
  del: 'strike',
  sub: 'sub',
  sup: 'sup',
  code: 'code',
  mark: 'highlight',
};
