// SPDX-License-Identifier: GPL-2.0-or-later
#include "splash.h"

#include <dlfcn.h>
#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-image.h>
#include <poppler/cpp/poppler-page-renderer.h>
#include <poppler/cpp/poppler-page.h>

#include <climits>
#include <cstring>
#include <memory>
#include <new>
#include <string>

// libpoppler-cpp has another name in each release of Debian, so it is not linked. Its methods are called as functions
// with the object as the first argument (Itanium C++ ABI, used by GCC). Checked with poppler 22.12.

namespace {

struct Functions;

/// Calls the functions; null if there are none.
const Functions *functions();

/// Replaces `poppler::image`, so that nothing links to its functions: one pointer, returned in memory of the caller
/// because it has a destructor.
struct Image {
  void *data;
  Image(const Image &) = delete;
  ~Image();
};
static_assert(sizeof(Image) == sizeof(poppler::image), "an image is one pointer");

/// Replaces `poppler::page_renderer`.
struct Renderer {
  void *data;
};
static_assert(sizeof(Renderer) == sizeof(poppler::page_renderer), "a renderer is one pointer");

struct Functions {
  poppler::document *(*open)(const char *, int, const std::string &, const std::string &);
  bool (*isLocked)(const poppler::document *);
  void (*endDocument)(poppler::document *);
  poppler::page *(*page)(const poppler::document *, int);
  void (*endPage)(poppler::page *);
  void (*beginRenderer)(Renderer *);
  void (*endRenderer)(Renderer *);
  void (*setHints)(Renderer *, unsigned);
  void (*setPaper)(Renderer *, poppler::argb);
  void (*setFormat)(Renderer *, poppler::image::format_enum);
  Image (*render)(const Renderer *, const poppler::page *, double, double, int, int, int, int,
                  poppler::rotation_enum);
  void (*endImage)(Image *);
  bool (*isValid)(const Image *);
  int (*width)(const Image *);
  int (*height)(const Image *);
  int (*bytesPerRow)(const Image *);
  const char *(*bytes)(const Image *);

  /// Whether all of them were found.
  bool isComplete;

  Functions() : isComplete(true) {
    // The names in Debian 12 and 13.
    void *library = dlopen("libpoppler-cpp.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libpoppler-cpp.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      isComplete = false;
      return;
    }
    find(library, open,
         "_ZN7poppler8document18load_from_raw_dataEPKciRKNSt7__cxx1112basic_stringIcSt11char_"
         "traitsIcESaIcEEESA_");
    find(library, isLocked, "_ZNK7poppler8document9is_lockedEv");
    find(library, endDocument, "_ZN7poppler8documentD1Ev");
    find(library, page, "_ZNK7poppler8document11create_pageEi");
    find(library, endPage, "_ZN7poppler4pageD1Ev");
    find(library, beginRenderer, "_ZN7poppler13page_rendererC1Ev");
    find(library, endRenderer, "_ZN7poppler13page_rendererD1Ev");
    find(library, setHints, "_ZN7poppler13page_renderer16set_render_hintsEj");
    find(library, setPaper, "_ZN7poppler13page_renderer15set_paper_colorEj");
    find(library, setFormat, "_ZN7poppler13page_renderer16set_image_formatENS_5image11format_enumE");
    find(library, render,
         "_ZNK7poppler13page_renderer11render_pageEPKNS_4pageEddiiiiNS_13rotation_enumE");
    find(library, endImage, "_ZN7poppler5imageD1Ev");
    find(library, isValid, "_ZNK7poppler5image8is_validEv");
    find(library, width, "_ZNK7poppler5image5widthEv");
    find(library, height, "_ZNK7poppler5image6heightEv");
    find(library, bytesPerRow, "_ZNK7poppler5image13bytes_per_rowEv");
    find(library, bytes, "_ZNK7poppler5image10const_dataEv");
  }

 private:
  template <typename Function>
  void find(void *library, Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function) isComplete = false;
  }
};

const Functions *functions() {
  static const Functions found;
  return found.isComplete ? &found : nullptr;
}

Image::~Image() { functions()->endImage(this); }

struct EndDocument {
  void operator()(poppler::document *document) const {
    functions()->endDocument(document);
    ::operator delete(document);
  }
};

struct EndPage {
  void operator()(poppler::page *page) const {
    functions()->endPage(page);
    ::operator delete(page);
  }
};

struct EndRenderer {
  void operator()(Renderer *renderer) const { functions()->endRenderer(renderer); }
};

poppler::rotation_enum rotation(int degrees) {
  switch (degrees) {
    case 90: return poppler::rotate_90;
    case 180: return poppler::rotate_180;
    case 270: return poppler::rotate_270;
    default: return poppler::rotate_0;
  }
}

}  // namespace

struct recto_splash_document {
  std::unique_ptr<poppler::document, EndDocument> document;
};

bool recto_splash_load(void) { return functions() != nullptr; }

recto_splash_document *recto_splash_open(const void *bytes, size_t length, const char *password) {
  const Functions *poppler = functions();
  if (!poppler || length > INT_MAX) return nullptr;
  try {
    const std::string word = password ? password : "";
    std::unique_ptr<::poppler::document, EndDocument> document(poppler->open(
        static_cast<const char *>(bytes), static_cast<int>(length), word, word));
    if (!document || poppler->isLocked(document.get())) return nullptr;
    return new recto_splash_document{std::move(document)};
  } catch (...) {
    return nullptr;
  }
}

void recto_splash_close(recto_splash_document *document) { delete document; }

bool recto_splash_draw(const recto_splash_document *document, const recto_splash_part *part,
                       void *pixels, size_t stride) {
  const Functions *poppler = functions();
  if (!poppler) return false;
  try {
    const std::unique_ptr<::poppler::page, EndPage> page(
        poppler->page(document->document.get(), part->page));
    if (!page) return false;
    Renderer memory;
    poppler->beginRenderer(&memory);
    const std::unique_ptr<Renderer, EndRenderer> renderer(&memory);
    poppler->setHints(&memory, ::poppler::page_renderer::antialiasing |
                                   ::poppler::page_renderer::text_antialiasing);
    poppler->setPaper(&memory, part->paper);
    poppler->setFormat(&memory, ::poppler::image::format_argb32);
    const Image image =
        poppler->render(&memory, page.get(), part->across, part->down, part->x, part->y,
                        part->width, part->height, rotation(part->rotation));
    if (!poppler->isValid(&image) || poppler->width(&image) != part->width ||
        poppler->height(&image) != part->height) {
      return false;
    }
    const char *source = poppler->bytes(&image);
    const size_t row = static_cast<size_t>(poppler->bytesPerRow(&image));
    for (int y = 0; y < part->height; y++) {
      std::memcpy(static_cast<char *>(pixels) + static_cast<size_t>(y) * stride,
                  source + static_cast<size_t>(y) * row, static_cast<size_t>(part->width) * 4);
    }
    return true;
  } catch (...) {
    return false;
  }
}
