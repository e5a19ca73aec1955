/** Error codes of OAuth (RFC 6749, 7009, 7591, 8707). */
export type OAuthFailureCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** An expected failure of a request that only programs make; people get a CeriseError. */
export class OAuthFailure extends Error {
  readonly code: OAuthFailureCode;

  constructor(code: OAuthFailureCode, description: string) {
    super(description);
    this.name = 'OAuthFailure';
    this.code = code;
  }
}
