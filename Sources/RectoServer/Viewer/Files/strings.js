// All words of the viewer and of the list of documents, in English and German.

const strings = {
  // Places and commands
  skip: ["Skip to the document", "Zum Dokument springen"],
  toolbar: ["Viewer", "Anzeige"],
  sidebar: ["Sidebar", "Seitenleiste"],
  documents: ["Documents", "Dokumente"],
  back: ["Back", "Zurück"],
  previous: ["Previous page", "Vorige Seite"],
  next: ["Next page", "Nächste Seite"],
  goTo: ["Go to page", "Gehe zu Seite"],
  pageLabel: ["Page label or number", "Seitenzahl oder -nummer"],
  pageCount: ["of {pages}", "von {pages}"],
  zoomIn: ["Zoom in", "Vergrößern"],
  zoomOut: ["Zoom out", "Verkleinern"],
  zoom: ["Zoom", "Vergrößerung"],
  fit: ["Fit", "Einpassen"],
  fitAuto: ["Automatic", "Automatisch"],
  fitWidth: ["Fit width", "Ganze Breite"],
  fitPage: ["Fit page", "Ganze Seite"],
  fitHeight: ["Fit height", "Ganze Höhe"],
  fitNone: ["Actual size", "Originalgröße"],
  layout: ["Layout", "Anordnung"],
  modeContinuous: ["Continuous", "Fortlaufend"],
  modeHorizontal: ["Horizontal", "Waagerecht"],
  modePaged: ["Paged", "Seitenweise"],
  modeGrid: ["Grid", "Raster"],
  modeCarousel: ["Carousel", "Karussell"],
  spread: ["Spreads", "Doppelseiten"],
  spreadSingle: ["Single", "Einzeln"],
  spreadDouble: ["Double", "Doppelt"],
  spreadBook: ["Book", "Buch"],
  oneScale: ["One scale for all pages", "Ein Maßstab für alle Seiten"],
  match: ["One height for a spread", "Eine Höhe je Doppelseite"],
  rtl: ["Right to left", "Von rechts nach links"],
  rotate: ["Rotate", "Drehen"],
  dark: ["Dark paper", "Dunkles Papier"],
  search: ["Search", "Suchen"],
  print: ["Print", "Drucken"],
  fullScreen: ["Full screen", "Vollbild"],
  present: ["Presentation", "Präsentation"],
  keys: ["Keys", "Tasten"],
  menu: ["More", "Mehr"],
  // The sidebar
  navigation: ["Document navigation", "Navigation im Dokument"],
  pages: ["Pages", "Seiten"],
  outline: ["Outline", "Gliederung"],
  noOutline: ["The document has no outline.", "Das Dokument hat keine Gliederung."],
  noTitle: ["(no title)", "(ohne Titel)"],
  notes: ["Notes", "Notizen"],
  noNotes: ["The document has no notes and no attached files.", "Das Dokument hat keine Notizen und keine angehängten Dateien."],
  readingNotes: ["Reading page {page} of {pages} …", "Seite {page} von {pages} wird gelesen …"],
  unreadableNotes: ["Not readable: pages {pages}.", "Nicht lesbar: Seiten {pages}."],
  moreNotes: ["The first {count} are listed.", "Die ersten {count} sind aufgeführt."],
  bytes: ["{bytes} bytes", "{bytes} Bytes"],
  searchIn: ["Search in the document", "Im Dokument suchen"],
  words: ["Words", "Wörter"],
  hitPrevious: ["Previous hit", "Voriger Treffer"],
  hitNext: ["Next hit", "Nächster Treffer"],
  stop: ["Stop", "Anhalten"],
  matchCase: ["Match case", "Groß- und Kleinschreibung"],
  wholeWords: ["Whole words", "Ganze Wörter"],
  matchAccents: ["Match accents", "Akzente beachten"],
  hits: ["Hits", "Treffer"],
  searching: ["Searching …", "Es wird gesucht …"],
  hitsSoFar: ["{hits} hits; searching …", "{hits} Treffer; es wird gesucht …"],
  hitsFound: ["{hits} hits on {pages} pages searched", "{hits} Treffer auf {pages} durchsuchten Seiten"],
  moreHits: ["{hits} hits; there may be more", "{hits} Treffer; es kann mehr geben"],
  // The document
  document: ["Document", "Dokument"],
  page: ["Page {page}", "Seite {page}"],
  link: ["Link", "Verweis"],
  pageError: ["Page {page}: {reason}", "Seite {page}: {reason}"],
  tryAgain: ["Try again", "Nochmals versuchen"],
  noPage: ['There is no page "{page}"', "Es gibt keine Seite „{page}“"],
  broken: ["The connection has broken; next try in {seconds} s", "Die Verbindung ist unterbrochen; nächster Versuch in {seconds} s"],
  offline: ["The server cannot be reached: what was read before is shown", "Der Server ist nicht erreichbar: gezeigt wird, was schon gelesen wurde"],
  changed: ["The document has changed and was opened again", "Das Dokument wurde geändert und neu geöffnet"],
  changedUnreadable: ["The document has changed and cannot be opened: {reason}", "Das Dokument wurde geändert und lässt sich nicht öffnen: {reason}"],
  refused: ["The document cannot be opened", "Das Dokument lässt sich nicht öffnen"],
  adviceNotPDF: ["Another program may open it.", "Vielleicht öffnet sie ein anderes Programm."],
  adviceDamaged: ["The file may be incomplete: a new copy of it may help.", "Die Datei ist vielleicht unvollständig: eine neue Kopie kann helfen."],
  adviceUnreadable: ["The file may have been moved or removed since the list was made.", "Die Datei wurde vielleicht verschoben oder gelöscht, seit die Liste entstand."],
  adviceChanged: ["The file is being written. It can be opened when that is done.", "Die Datei wird gerade geschrieben. Danach lässt sie sich öffnen."],
  adviceLimit: ["The document needs more time or memory than the server allows.", "Das Dokument braucht mehr Zeit oder Speicher, als der Server erlaubt."],
  adviceOther: ["The server may be able to open it later.", "Vielleicht kann der Server es später öffnen."],
  // Dialogs
  password: ["Password", "Kennwort"],
  encrypted: ["The document is encrypted.", "Das Dokument ist verschlüsselt."],
  passwordWrong: ["The password is wrong.", "Das Kennwort ist falsch."],
  open: ["Open", "Öffnen"],
  printFirst: ["Pages", "Seiten"],
  printLast: ["to", "bis"],
  cancel: ["Cancel", "Abbrechen"],
  close: ["Close", "Schließen"],
  pageRange: ["Pages are from 1 to {pages}.", "Seiten gehen von 1 bis {pages}."],
  mostPages: ["At most {pages} pages are printed at a time.", "Höchstens {pages} Seiten werden auf einmal gedruckt."],
  pagesReady: ["{count} of {pages} pages are ready", "{count} von {pages} Seiten sind bereit"],
  cannotDraw: ["Page {page} cannot be drawn.", "Seite {page} kann nicht gezeichnet werden."],
  // Keys
  keyScroll: ["scroll", "rollen"],
  keyTurn: ["previous, next page", "vorige, nächste Seite"],
  keyViewport: ["scroll by a viewport", "um einen Ausschnitt rollen"],
  keyEnds: ["first, last page", "erste, letzte Seite"],
  keyZoom: ["zoom in, out, automatic", "vergrößern, verkleinern, automatisch"],
  keyHits: ["next, previous hit", "nächster, voriger Treffer"],
  keyBlank: ["blank screen in a presentation", "leerer Bildschirm in der Präsentation"],
  keyEscape: ["back to the document", "zurück zum Dokument"],
  keyList: ["this list", "diese Liste"],
  // The list of documents
  loading: ["Loading …", "Wird geladen …"],
  filter: ["Filter by name or folder", "Nach Name oder Ordner filtern"],
  searchAll: ["Search in all texts", "In allen Texten suchen"],
  searchingAll: ["{count} of {all} documents searched, {found} with hits …", "{count} von {all} Dokumenten durchsucht, {found} mit Treffern …"],
  searchedAll: ["{count} of {all} documents searched, {found} with hits", "{count} von {all} Dokumenten durchsucht, {found} mit Treffern"],
  hitCount: ["{count} hits", "{count} Treffer"],
  sort: ["Order", "Reihenfolge"],
  sortRead: ["Last read", "Zuletzt gelesen"],
  sortName: ["Name", "Name"],
  sortFolder: ["Folder", "Ordner"],
  documentCount: ["{count} documents", "{count} Dokumente"],
  onePage: ["1 page", "1 Seite"],
  pagesOf: ["{count} pages", "{count} Seiten"],
  lastPlace: ["{date}: page {page}", "{date}: Seite {page}"],
  noList: ["The list cannot be loaded: {reason}", "Die Liste lässt sich nicht laden: {reason}"],
};

const column = globalThis.navigator?.language?.toLowerCase().startsWith("de") ? 1 : 0;

/** The language of the words, as in the attribute `lang`. */
export const language = ["en", "de"][column];

/** The names of all strings. */
export const stringNames = Object.keys(strings);

/** A string in a language, with values in its places. */
export function stringIn(index, name, values = {}) {
  return strings[name][index].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

/** A string in the language of the reader, with values in its places. */
export function string(name, values) {
  return stringIn(column, name, values);
}

/** Fills elements with the strings that they name: `data-text`, `data-title` (with `data-keys`), `data-label`. */
export function fillStrings(root) {
  root.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = string(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", string(element.dataset.label));
  }
  for (const element of root.querySelectorAll("[data-title]")) {
    const { title, keys } = element.dataset;
    element.title = keys ? `${string(title)} (${keys})` : string(title);
  }
  for (const element of root.querySelectorAll("[data-hint]")) element.placeholder = string(element.dataset.hint);
}
