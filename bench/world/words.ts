/**
 * Vocabulary of the generated wiki: the words that make up half of any English text, and some thousand words made of syllables,
 * so that few words are frequent and most are rare, as in every language.
 */

const frequent =
  `the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one
you were all her she there would their we him been has when who will more no if out so said what up its about into than
them can only other new some could time these two may then do first any my now such like our over man me even most made
after also did many before must through back years where much your way well down should because each just those people
mr how too little state good very make world still own see men work long get here between both life being under never day
same another know while last might us great old year off come since against go came right used take three`.split(
    /\s+/,
  );

const subjects =
  `river valley harbour bridge castle market garden forest mill church tower school museum station island
mountain lake field orchard village street square theatre library hospital railway canal lighthouse monastery quarry
festival council guild archive journal painter composer explorer merchant baker carpenter gardener teacher architect
season winter summer spring autumn harvest stone timber copper silver wool linen glass pottery honey barley apple rose
oak willow heron otter salmon fox hare owl bell clock map letter poem song dance legend recipe treaty charter flood fire
storm drought migration railway tunnel ferry path trail road gate wall roof well spring cave cliff meadow marsh dune`.split(
    /\s+/,
  );

const onsets = 'b br c cl d dr f fl g gl h j k l m n p pl qu r s sh st t th tr v w z'.split(' ');
const vowels = 'a e i o u ai ea ou'.split(' ');
const codas = ['', '', '', 'n', 'l', 'r', 's', 'm', 'nd', 'rt'];

export const words: readonly string[] = build(8000);
export const headings = ['History', 'Geography', 'Description', 'People', 'Today', 'Sources', 'See also'];

/** Returns a unique, pronounceable name for each number below 99,999,989, in no particular order. */
export function nameOf(number: number): string {
  let rest = (number * 48_271 + 12_345) % 99_999_989;
  let name = '';
  for (let i = 0; i < 4; i++) {
    name += syllables[rest % 100];
    rest = Math.floor(rest / 100);
  }
  return capital(name);
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const consonants = 'b d f g h k l m n p r s t v w z br dr st tr'.split(' ');
const syllables = consonants.flatMap((consonant) => ['a', 'e', 'i', 'o', 'u'].map((v) => consonant + v));

function build(count: number): string[] {
  const all = new Set([...frequent, ...subjects]);
  for (let i = 0; all.size < count; i++) {
    const at = (list: readonly string[], n: number) => list[n % list.length] as string;
    const part = (n: number) => at(onsets, n * 7) + at(vowels, n * 5 + (n >> 3)) + at(codas, n * 3);
    const n = i * 2_654_435;
    all.add(part(n >>> 0) + part((n >>> 5) + i) + (i % 3 === 0 ? part((n >>> 9) + 2 * i) : ''));
  }
  return [...all];
}
