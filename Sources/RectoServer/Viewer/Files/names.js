// Names of files, titles and labels, which others have chosen: a character that is not seen, or that changes the
// order of others, is shown as what it is.

/** Control characters, those that set the direction of text, and others that are not seen. Joiners are not among
 * them: scripts and emoji need them. */
const hidden =
  /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;

/** The text with the number of each character that is not seen in its place. */
export function visible(text) {
  return text.replace(
    hidden,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** An element with a name, whose direction has no effect on what is beside it. */
export function isolated(text) {
  const element = document.createElement("bdi");
  element.textContent = visible(text);
  return element;
}

/** The name for places that have no elements, such as the title of the window. */
export function isolatedText(text) {
  return `\u2068${visible(text)}\u2069`;
}
