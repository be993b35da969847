// SHA-256 by Web Crypto, which browsers and Node share.

/** Of the text's UTF-8, in Base64: what a content-security policy names a style by. */
export async function sha256Base64(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
