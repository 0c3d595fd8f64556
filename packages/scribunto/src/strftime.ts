/** C's `strftime` in the C locale and UTC, for `os.date`. */
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

const day = 86_400_000;

/** Unknown conversion letters are kept. */
export function strftime(format: string, date: Date): string {
  return format.replace(/%(.)/gs, (written, letter: string) => part(letter, date) ?? written);
}

function part(letter: string, date: Date): string | undefined {
  const [year, month, monthDay, hour] = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
  ];
  const weekday = date.getUTCDay();
  const yearDay = Math.floor((Date.UTC(year, month, monthDay) - Date.UTC(year, 0, 1)) / day);
  switch (letter) {
    case 'a':
      return days[weekday]?.slice(0, 3);
    case 'A':
      return days[weekday];
    case 'b':
    case 'h':
      return months[month]?.slice(0, 3);
    case 'B':
      return months[month];
    case 'c':
      return strftime('%a %b %e %H:%M:%S %Y', date);
    case 'C':
      return two(Math.floor(year / 100));
    case 'd':
      return two(monthDay);
    case 'D':
    case 'x':
      return strftime('%m/%d/%y', date);
    case 'e':
      return String(monthDay).padStart(2);
    case 'F':
      return strftime('%Y-%m-%d', date);
    case 'g':
      return two(weekYear(date).year % 100);
    case 'G':
      return String(weekYear(date).year);
    case 'H':
      return two(hour);
    case 'I':
      return two(hour % 12 || 12);
    case 'j':
      return String(yearDay + 1).padStart(3, '0');
    case 'm':
      return two(month + 1);
    case 'M':
      return two(date.getUTCMinutes());
    case 'n':
      return '\n';
    case 'p':
      return hour < 12 ? 'AM' : 'PM';
    case 'r':
      return strftime('%I:%M:%S %p', date);
    case 'R':
      return strftime('%H:%M', date);
    case 's':
      return String(Math.floor(date.getTime() / 1000));
    case 'S':
      return two(date.getUTCSeconds());
    case 't':
      return '\t';
    case 'T':
    case 'X':
      return strftime('%H:%M:%S', date);
    case 'u':
      return String(weekday || 7);
    case 'U':
      return two(Math.floor((yearDay + 7 - weekday) / 7));
    case 'V':
      return two(weekYear(date).week);
    case 'w':
      return String(weekday);
    case 'W':
      return two(Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7));
    case 'y':
      return two(year % 100);
    case 'Y':
      return String(year);
    case 'z':
      return '+0000';
    case 'Z':
      return 'UTC';
    case '%':
      return '%';
    default:
      return undefined;
  }
}

/** Week of ISO 8601, and the year to which it belongs: that of its Thursday. */
function weekYear(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * day);
  const first = new Date(0);
  const year = thursday.getUTCFullYear();
  first.setUTCFullYear(year);
  return { year, week: Math.floor((thursday.getTime() - first.getTime()) / day / 7) + 1 };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
