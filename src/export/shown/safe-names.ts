/**
 * Names under which a static site holds uploads. Its host takes types from extensions, and the browser runs what they name with
 * the rights of the organisation's own origin: HTML, SVG, XML, scripts. Such files end in `.txt`, which browsers show or save as
 * text and never run (WHATWG MIME Sniffing §7). Hosts also look at extensions further ahead: Apache runs `a.php.png`, and others send
 * `a.html.gz` for `a.html`, so these are no extensions any more.
 */
import { safeFilename } from '../file-names.ts';

/** Extensions that hosts know and no browser runs. All others may be served without a type, which a browser then guesses. */
const passiveExtensions =
  /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|tiff?|mp3|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv|mov|avi|txt|csv|json|pdf|zip|gz|tgz|bz2|xz|7z|docx?|xlsx?|pptx?|od[tsp]|epub)$/i;
/** Types of contents, as they were found at the upload. */
const passiveTypes =
  /^(?:image\/(?!svg)[\w.-]+|(?:audio|video)\/(?!.*xml)[\w.+-]+|text\/(?:plain|csv|markdown)|application\/(?:json|pdf|zip|gzip|x-(?:bzip2|xz|7z-compressed|tar|cfb)|epub\+zip|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.)[\w.-]+))(?:;|$)/i;
/** Dots before extensions that browsers or hosts run, where the name goes on. */
const activeWithin =
  /\.(?=(?:ph(?:p\d*|ps|t|tml|ar)|[sx]?html?|stm|svgz?|xml|xslt?|m?js|wasm|swf|mht(?:ml)?|f?cgi|p[ly]|rb|lua|sh|as[hmp]x?|jspx?|cfm|var)\.)/gi;

export function safeSiteName({ name, mime }: { name: string; mime: string }): string {
  const safe = safeFilename(name);
  const passive = passiveExtensions.test(safe) && passiveTypes.test(mime) ? safe : `${safe}.txt`;
  return passive.replace(activeWithin, '-');
}
