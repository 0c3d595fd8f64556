/** Recognisable name of a client, from its `User-Agent`. */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';

const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

// More specific ones come first, because most browsers also claim to be others.
const browsers: [RegExp, Words][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** “Firefox on Linux”, “curl”, or “Unknown client”. */
export function deviceName(userAgent: string | null): Words {
  const text = userAgent ?? '';
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1];
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  if (browser && system) return say('deviceName.browserOnSystem', { browser, system });
  return browser ?? (text.split(/[\s/(]/, 1)[0] || say('deviceName.unknownClient'));
}
