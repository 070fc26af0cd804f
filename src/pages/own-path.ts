/** A page of ours to go to, never another site's; the overview when it is not one. */
export const ownPath = (path: string): string =>
  /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : '/oversikt';
