// What is shown in place of a document that cannot be opened: which one, why, and what can be done.

import { address } from "./addresses.js";
import { isolated, visible } from "./names.js";
import { string } from "./strings.js";

const element = (id) => document.getElementById(id);

/** Shows why a document cannot be opened. */
export async function showRefusal(id, error) {
  element("refusal-reason").textContent = visible(reason(error));
  element("refusal-advice").textContent = string(adviceFor(error.code));
  element("refusal").hidden = false;
  element("retry").addEventListener("click", () => location.reload(), { once: true });
  element("retry").focus();
  const name = await nameOf(id);
  if (name) element("refusal-name").replaceChildren(isolated(name));
}

/** The reason as a sentence, without the operation: the heading tells that. */
export function reason({ message }) {
  const text = message.replace(/^open( [^:]+)?: /, "");
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The name of the file; null if the list does not have it. */
async function nameOf(id) {
  try {
    const { documents } = await (await fetch(address("api/documents"))).json();
    return documents.find((entry) => entry.id === id)?.name;
  } catch {
    return null;
  }
}

/** What can be done about an error. */
function adviceFor(code) {
  switch (code) {
    case "not-pdf": return "adviceNotPDF";
    case "damaged": return "adviceDamaged";
    case "unreadable": return "adviceUnreadable";
    case "changed": return "adviceChanged";
    case "time-limit": case "memory-limit": return "adviceLimit";
    default: return "adviceOther";
  }
}
