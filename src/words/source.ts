/** The source of messages on the server: the catalogues. Scripts have another module in its place (package.json, `browser`). */
export { parsedMessage, siteLanguage } from './languages.ts';
