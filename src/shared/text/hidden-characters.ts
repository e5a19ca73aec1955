/**
 * Draws nothing although no property says so: the stand-in for an object, a braille pattern without
 * dots, blanks between hieroglyphs, the filler of Khitan, a notehead without a head.
 */
const blanks = '\u2800\uFFFC\u{13441}\u{13442}\u{16FE4}\u{1D159}';
/** Every other one by its property: controls, formats, spaces, what has no meaning, what fonts skip. */
export const hiddenCharacters = String.raw`[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}${blanks}]--[ \t\n]]+`;
/** More accents than any language heaps on a letter: they would cover the lines around it. */
export const heapedMarks = String.raw`\p{M}{9,}`;
/** Sequences that are drawn as one picture, in which selectors and joiners have their part. */
export const wholePictures = String.raw`\p{RGI_Emoji}`;
