// Printing a range of pages: pictures of whole pages that only the printer shows.

import { string } from "./strings.js";

/** Pages that are printed together: all of them are in memory. */
const largestCount = 200;
/** Pixels per inch, and those of pages that are too large for them. */
const resolutions = [300, 100];
/** Pictures that are fetched at the same time. */
const atOnce = 4;

const element = (id) => document.getElementById(id);

/** Has the button print. */
export function preparePrinting(viewer) {
  const dialog = element("print-dialog");
  element("print").addEventListener("click", () => {
    const number = viewer.stage.scene?.current ?? 1;
    for (const id of ["print-first", "print-last"]) {
      element(id).max = viewer.info.pages;
      element(id).value = number;
    }
    element("print-message").textContent = "";
    dialog.returnValue = "cancel";
    dialog.showModal();
  });
  dialog.querySelector("form").addEventListener("submit", (event) => {
    if (event.submitter?.value !== "print") return;
    event.preventDefault();
    print(viewer, dialog);
  });
}

async function print(viewer, dialog) {
  const [first, last] = [Number(element("print-first").value), Number(element("print-last").value)];
  const message = element("print-message");
  if (!(first >= 1 && last >= first && last <= viewer.info.pages)) {
    message.textContent = string("pageRange", { pages: viewer.info.pages });
    return;
  }
  if (last - first >= largestCount) {
    message.textContent = string("mostPages", { pages: largestCount });
    return;
  }
  const container = element("print-pages");
  try {
    const images = await loadAll(viewer, first, last, (count) => {
      message.textContent = string("pagesReady", { count, pages: last - first + 1 });
    });
    container.replaceChildren(...images);
    dialog.close("print");
    window.print();
  } catch (error) {
    message.textContent = error.message;
  } finally {
    container.replaceChildren();
  }
}

/** The pictures of pages, all of them decoded. */
async function loadAll(viewer, first, last, report) {
  const images = new Array(last - first + 1);
  let [next, count] = [0, 0];
  const load = async () => {
    while (next < images.length) {
      const index = next;
      next += 1;
      images[index] = await picture(viewer.info.pictures, first + index);
      count += 1;
      report(count);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, load));
  return images;
}

/** The picture of a page, decoded. */
async function picture(template, page) {
  for (const resolution of resolutions) {
    const image = new Image();
    image.alt = string("page", { page });
    image.src = template.replace("{dpi}", resolution).replace("{page}", page);
    try {
      await image.decode();
      return image;
    } catch {
      // The next resolution may do.
    }
  }
  throw new Error(string("cannotDraw", { page }));
}
