// Answers what poppler says of a PDF, one line for each that arrives on standard input.
//
// Asks poppler-glib in the order in which PDFEngine asks it: open from bytes, number of pages,
// title, page layout; then page, box, size and label from the first page on. The rotation is looked
// up behind poppler-glib's back, which does not tell it.
//
// A frame is two 32-bit little-endian numbers, length and a number that is not used here, and the
// file. `oracle LIMIT ENDS TAIL`: a document of more than LIMIT pages is asked for the first ENDS and the
// last TAIL only.

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <poppler.h>
#include <poppler/Error.h>
#include <poppler/GlobalParams.h>
#include <poppler/Page.h>

// As in poppler-glib's private header, which Debian does not install.
struct _PopplerPage {
  GObject parent_instance;
  PopplerDocument *document;
  Page *page;
  int index;
};

static bool readAll(void *place, size_t count) { return fread(place, 1, count, stdin) == count; }

static void addBits(std::string &line, double value) {
  value += 0.0;  // no negative zero
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  char text[32];
  snprintf(text, sizeof text, "%" PRIx64 ",", bits);
  line += text;
}

// At most so many bytes of a text are compared: a label can be as long as a file wants it to be.
static const int textLimit = 256;

static void addText(std::string &line, char *text) {
  if (!text || !*text) line += "-";
  for (const char *c = text; c && *c && c < text + textLimit; ++c) {
    char hex[4];
    snprintf(hex, sizeof hex, "%02x", (unsigned char)*c);
    line += hex;
  }
  g_free(text);
}

static void addPage(std::string &line, PopplerDocument *document, int index) {
  line += " " + std::to_string(index) + ":";
  PopplerPage *page = poppler_document_get_page(document, index);
  if (!page) {
    line += "missing";
    return;
  }
  PopplerRectangle box;
  poppler_page_get_crop_box(page, &box);
  double width = 0, height = 0;
  poppler_page_get_size(page, &width, &height);
  for (double value : {box.x1, box.y1, box.x2, box.y2, width, height}) addBits(line, value);
  line += std::to_string(page->page->getRotate()) + ":";
  addText(line, poppler_page_get_label(page));
  g_object_unref(page);
}

static const char *layoutName(PopplerPageLayout layout) {
  switch (layout) {
    case POPPLER_PAGE_LAYOUT_SINGLE_PAGE: return "SinglePage";
    case POPPLER_PAGE_LAYOUT_ONE_COLUMN: return "OneColumn";
    case POPPLER_PAGE_LAYOUT_TWO_COLUMN_LEFT: return "TwoColumnLeft";
    case POPPLER_PAGE_LAYOUT_TWO_COLUMN_RIGHT: return "TwoColumnRight";
    case POPPLER_PAGE_LAYOUT_TWO_PAGE_LEFT: return "TwoPageLeft";
    case POPPLER_PAGE_LAYOUT_TWO_PAGE_RIGHT: return "TwoPageRight";
    default: return "-";
  }
}

static std::string answer(const std::vector<char> &file, int limit, int ends, int tail) {
  GBytes *bytes = g_bytes_new_static(file.data(), file.size());
  GError *error = nullptr;
  PopplerDocument *document = poppler_document_new_from_bytes(bytes, nullptr, &error);
  g_bytes_unref(bytes);
  if (!document) {
    std::string line = std::string("no ") + (error ? error->message : "no reason given");
    g_clear_error(&error);
    return line;
  }
  int count = std::max(0, poppler_document_get_n_pages(document));
  std::string line = "ok " + std::to_string(count) + " ";
  addText(line, poppler_document_get_title(document));
  line += std::string(" ") + layoutName(poppler_document_get_page_layout(document));
  if (count <= limit) {
    for (int index = 0; index < count; ++index) addPage(line, document, index);
  } else {
    for (int index = 0; index < ends; ++index) addPage(line, document, index);
    for (int index = count - tail; index < count; ++index) addPage(line, document, index);
  }
  g_object_unref(document);
  return line;
}

static void ignoreMessage(const gchar *, GLogLevelFlags, const gchar *, gpointer) {}

static void ignoreError(ErrorCategory, Goffset, const char *) {}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  // Poppler lists its data directories for the first document that is open, and that takes longer
  // than all questions: they stay listed as long as this lives.
  GlobalParamsIniter listed(ignoreError);
  g_log_set_default_handler(ignoreMessage, nullptr);
  uint32_t head[2];
  std::vector<char> file;
  while (readAll(head, sizeof head)) {
    file.resize(head[0]);
    if (!readAll(file.data(), head[0])) return 65;
    std::string line = answer(file, atoi(argv[1]), atoi(argv[2]), atoi(argv[3])) + "\n";
    if (fwrite(line.data(), 1, line.size(), stdout) != line.size() || fflush(stdout)) return 74;
  }
  return 0;
}
