// Users and passwords in URLs are typed on command lines, and must not come back in a message, a bug report or
// whatever keeps them.

/** The text with what stands before the host of each URL struck out, and the values of `password=`. */
export function withoutCredentials(text: string): string {
  return text.replace(/(:\/\/)[^\s"']*@/g, '$1…@').replace(/(password=)[^\s"'&]*/gi, '$1…');
}
