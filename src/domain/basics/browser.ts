/** A browser as a person knows it, from what it calls itself: enough to tell one's own from a stranger's. */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox på Windows`; what cannot be told is left out. */
export function describeBrowser(agent: string): string {
  const find = (names: typeof browsers) => names.find(([form]) => form.test(agent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser && system) return `${browser} på ${system}`;
  return browser ?? system ?? 'Okänd webbläsare';
}
