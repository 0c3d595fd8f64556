/** Settings of the site that administrators change while it runs, in contrast to those of the environment. */

export interface Settings {
  /** Whether only members read anything: the world's digit of every page counts as 0. */
  private: boolean;
}

export type SettingName = keyof Settings;

export const initialSettings: Settings = { private: false };

/**
 * Settings in the order in which they are shown: the check of stored values, and the value that counts instead of a damaged one.
 * Damage never opens a wiki.
 */
export const settingFields: {
  [N in SettingName]: { isUsable(value: unknown): boolean; ifDamaged: Settings[N] };
} = {
  private: { isUsable: (value) => typeof value === 'boolean', ifDamaged: true },
};
