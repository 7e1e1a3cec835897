/** An answer of the service that is an error. */
export class ServiceError extends Error {
  readonly httpStatus: number;
  /** How long the service wants to be left alone, in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(httpStatus: number, message: string, retryAfter: number | undefined) {
    super(message);
    this.httpStatus = httpStatus;
    this.retryAfter = retryAfter;
  }
}
