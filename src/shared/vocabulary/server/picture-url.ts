const picture = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)(?:;charset=[\w-]+)?(?:;base64)?,/i;

/** Whether a URL is a picture that needs nothing from elsewhere. */
export function isPictureUrl(url: string): boolean {
  return picture.test(url);
}
