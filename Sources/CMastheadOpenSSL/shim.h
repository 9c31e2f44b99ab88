#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Key generation is variadic, which Swift can't call.
static inline EVP_PKEY *masthead_openssl_EVP_EC_gen_name(const char *curve) {
    return EVP_EC_gen(curve);
}

static inline EVP_PKEY *masthead_openssl_EVP_RSA_gen_bits(unsigned int bits) {
    return EVP_RSA_gen(bits);
}

static inline EVP_PKEY *masthead_openssl_EVP_PKEY_Q_keygen_name(const char *name) {
    return EVP_PKEY_Q_keygen(NULL, NULL, name);
}

// SHA-256 as such. OpenSSL 3 deprecates these three in favour of EVP, which sets up the whole library first: more than a
// millisecond, and an app that starts offline needs nothing else of it.
static inline int masthead_openssl_SHA256_bytes(const void *bytes, size_t count, unsigned char *digest) {
#ifdef OPENSSL_NO_DEPRECATED_3_0
    return EVP_Q_digest(NULL, "SHA256", NULL, bytes, count, digest, NULL);
#else
    SHA256_CTX context;
    return SHA256_Init(&context) == 1 && SHA256_Update(&context, bytes, count) == 1
        && SHA256_Final(digest, &context) == 1;
#endif
}

// Macros over BIO_ctrl and SSL_CTX_ctrl, with casts that Swift can't write.
static inline long masthead_openssl_BIO_get_mem_data_bytes(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

static inline int masthead_openssl_SSL_CTX_set_min_proto_version_int(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline int masthead_openssl_SSL_CTX_set_max_proto_version_int(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}

static inline long masthead_openssl_SSL_CTX_set_session_cache_mode_int(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}

static inline long masthead_openssl_SSL_CTX_set_tlsext_ticket_keys_bytes(SSL_CTX *context, void *keys, long count) {
    return SSL_CTX_set_tlsext_ticket_keys(context, keys, count);
}

static inline int masthead_openssl_SSL_CTX_set_tlsext_status_cb_status(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    return SSL_CTX_set_tlsext_status_cb(context, callback);
}

static inline int masthead_openssl_SSL_CTX_set_tlsext_status_arg_pointer(SSL_CTX *context, void *argument) {
    return SSL_CTX_set_tlsext_status_arg(context, argument);
}

static inline long masthead_openssl_SSL_set_tlsext_status_ocsp_resp_bytes(SSL *connection, unsigned char *bytes, long count) {
    return SSL_set_tlsext_status_ocsp_resp(connection, bytes, count);
}

// A macro over CRYPTO_memdup that takes the file's name.
static inline void *masthead_openssl_memdup_bytes(const void *bytes, size_t count) {
    return OPENSSL_memdup(bytes, count);
}

static inline int masthead_openssl_SSL_CTX_add1_chain_cert_x509(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}

// Macros over SSL_CTX_ctrl and SSL_ctrl, for who trusts a server.
static inline long masthead_openssl_SSL_CTX_set_tlsext_status_type_int(SSL_CTX *context, int type) {
    return SSL_CTX_set_tlsext_status_type(context, type);
}

static inline long masthead_openssl_SSL_get_tlsext_status_ocsp_resp_bytes(SSL *connection,
                                                                          const unsigned char **bytes) {
    return SSL_get_tlsext_status_ocsp_resp(connection, bytes);
}
