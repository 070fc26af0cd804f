/** A page of ours to go to, as browsers write addresses; never another site's. Else the overview. */
export const ownPath = (path: string): string =>
  /^\/(?![/\\])[!-[\]-~]*$/.test(path) ? path : '/oversikt';
