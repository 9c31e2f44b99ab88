#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Key generation is variadic, which Swift can't call.
static inline EVP_PKEY *masthead_openssl_EVP_EC_gen_name(const char *curve) {
    return EVP_EC_gen(curve);
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

static inline int masthead_openssl_SSL_CTX_add1_chain_cert_x509(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}
