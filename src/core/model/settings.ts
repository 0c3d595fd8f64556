/** Settings of the site that administrators change while it runs, in contrast to those of the environment. */

export interface Settings {
  /** Whether only members read anything: the world's digit of every page counts as 0. */
  private: boolean;
}

export type SettingName = keyof Settings;

export const initialSettings: Settings = { private: false };

/** Settings in the order in which they are shown, with the check of stored and given values. */
export const settingFields: { [N in SettingName]: { isUsable(value: unknown): boolean } } = {
  private: { isUsable: (value) => typeof value === 'boolean' },
};
