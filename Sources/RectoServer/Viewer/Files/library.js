// The list of the documents that are served.

import { isolated, visible } from "./names.js";

const list = document.getElementById("documents");
const status = document.getElementById("status");
const filter = document.getElementById("filter");

/** The most documents shown; the filter finds the others. */
const largestCount = 500;

/** Shows the documents whose path has the words of the filter. */
function show(documents) {
  const words = filter.value.trim().toLowerCase().split(/\s+/);
  const found = documents.filter((entry) => {
    const path = `${entry.folder ?? ""}/${entry.name}`.toLowerCase();
    return words.every((word) => path.includes(word));
  });
  list.replaceChildren(...found.slice(0, largestCount).map(item));
  status.textContent =
    found.length > largestCount
      ? `${found.length} documents; the first ${largestCount} are shown`
      : `${found.length} documents`;
}

function item(entry) {
  const element = document.createElement("li");
  const link = document.createElement("a");
  link.href = `/view/${entry.id}`;
  link.append(isolated(entry.name));
  element.append(link);
  if (entry.folder) {
    const folder = document.createElement("span");
    folder.append(" ", isolated(entry.folder));
    element.append(folder);
  }
  return element;
}

try {
  const response = await fetch("/api/documents");
  if (!response.ok) throw new Error(response.statusText);
  const { documents } = await response.json();
  filter.addEventListener("input", () => show(documents));
  filter.form.addEventListener("submit", (event) => event.preventDefault());
  show(documents);
} catch (error) {
  status.textContent = visible(`The list cannot be loaded: ${error.message}`);
}
