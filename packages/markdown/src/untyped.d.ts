/** Extensions of the parser that bring no types. */
declare module 'markdown-it-deflist' {
  const plugin: import('markdown-it').PluginSimple;
  export default plugin;
}
declare module 'markdown-it-mark' {
  const plugin: import('markdown-it').PluginSimple;
  export default plugin;
}
declare module 'markdown-it-sup' {
  const plugin: import('markdown-it').PluginSimple;
  export default plugin;
}
declare module 'markdown-it-emoji/lib/data/full.mjs' {
  const names: Record<string, string>;
  export default names;
}
declare module 'commonmark-spec' {
  const spec: { tests: { number: number; section: string; markdown: string; html: string }[] };
  export default spec;
}
