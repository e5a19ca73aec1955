/** A server's refusal for want of authority. */
export interface Challenge {
  status: 401 | 403;
  /** The `WWW-Authenticate` header as it came. */
  header?: string | undefined;
  /** The `Authorization` value the refused request carried, if any. */
  sent?: string | undefined;
  /** The `DPoP-Nonce` header, if any. */
  dpopNonce?: string | undefined;
}

/** Gives requests to one server their credentials. One per connection, made for one user. */
export interface Authorizer {
  /** Headers for one request; renews the token first when it is about to end. Throws CeriseError. */
  headers(request: { method: string; url: URL }): Promise<Record<string, string>>;
  /**
   * Whether the refused request is worth sending again; to be asked at most three times for one.
   * Throws CeriseError `sign_in_required` where a person has to sign in (or consent to more) first.
   */
  answer(challenge: Challenge): Promise<boolean>;
}
