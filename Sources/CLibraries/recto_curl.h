// The functions of libcurl with a variable number of arguments, which Swift cannot call.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <arpa/inet.h>
#include <curl/curl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// curl_easy_setopt(3) with a number.
static inline CURLcode recto_curl_set_number(CURL *transfer, CURLoption option, long value) {
  return curl_easy_setopt(transfer, option, value);
}

/// curl_easy_setopt(3) with a text, which is copied, or NULL.
static inline CURLcode recto_curl_set_text(CURL *transfer, CURLoption option, const char *value) {
  return curl_easy_setopt(transfer, option, value);
}

/// curl_easy_setopt(3) with a list, which must outlive the transfer.
static inline CURLcode recto_curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(transfer, option, value);
}

/// Sets the method and the bytes to send, which are copied.
static inline void recto_curl_set_body(CURL *transfer, const char *method, const void *bytes, size_t count) {
  curl_easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  curl_easy_setopt(transfer, CURLOPT_COPYPOSTFIELDS, bytes);
  curl_easy_setopt(transfer, CURLOPT_CUSTOMREQUEST, method);
}

/// Receives bytes; returns how many were taken: fewer end the transfer.
typedef size_t (*recto_curl_sink)(char *bytes, size_t size, size_t count, void *context);

/// Sets the functions that receive the header lines and the body of an answer.
static inline void recto_curl_set_sinks(CURL *transfer, recto_curl_sink header, recto_curl_sink body, void *context) {
  curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
}

/// curl_easy_getinfo(3) of a number; 0 if there is none.
static inline long recto_curl_number(CURL *transfer, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(transfer, info, &value) == CURLE_OK ? value : 0;
}

/// curl_easy_getinfo(3) of a text that lives as long as the transfer; NULL if there is none.
static inline const char *recto_curl_text(CURL *transfer, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(transfer, info, &value) == CURLE_OK ? value : NULL;
}

/// Whether an address is link-local: 169.254.0.0/16 or fe80::/10, also as IPv4 in IPv6.
static inline int recto_is_link_local(const struct sockaddr *address) {
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    return (ntohl(four->sin_addr.s_addr) >> 16) == 0xA9FE;
  }
  if (address->sa_family == AF_INET6) {
    const unsigned char *bytes = ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr;
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (memcmp(bytes, mapped, 12) == 0) return bytes[12] == 169 && bytes[13] == 254;
    return bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80;
  }
  return 0;
}

static inline curl_socket_t recto_curl_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  if (recto_is_link_local(&address->addr)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Refuses connections to link-local addresses.
static inline void recto_curl_refuse_link_local(CURL *transfer, int refuses) {
  curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, refuses ? recto_curl_open_socket : NULL);
}

/// curl_multi_setopt(3) with a number.
static inline void recto_curl_multi_set_number(CURLM *transfers, CURLMoption option, long value) {
  curl_multi_setopt(transfers, option, value);
}

/// The next transfer that has ended, and its result; NULL if there is none.
static inline CURL *recto_curl_next_end(CURLM *transfers, CURLcode *result) {
  int left = 0;
  for (;;) {
    CURLMsg *message = curl_multi_info_read(transfers, &left);
    if (message == NULL) return NULL;
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
}
