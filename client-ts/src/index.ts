// Folio's API: paths, parameters, bodies and answers are typed from the OpenAPI document.
//
//   const folio = createFolio({ baseUrl: "https://folio.example.com", key: "fk_...", patience: 5 });
//   const params = { header: { "Idempotency-Key": "order-1042" } };
//   const { data, error } = await folio.POST("/api/invoices", { params, body });
import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { components, paths } from "./schema.js";
import { patient } from "./retry.js";

export type { components, paths } from "./schema.js";
export type Invoice = components["schemas"]["Invoice"];
export type Problem = components["schemas"]["Problem"];
export type Folio = Client<paths>;

export interface Options extends Omit<ClientOptions, "baseUrl"> {
  baseUrl: string;
  /** API key of a company, fk_... */
  key?: string;
  /** Token of an account: see login. */
  token?: string;
  /** "es" for refusals in Spanish. */
  language?: string;
  /**
   * How often a call is sent again: after Retry-After when the answer was 429; and, when the call is a read, a PUT, a
   * DELETE or has an Idempotency-Key, after Retry-After of a 503 and after an answer that did not come. 0 unless given.
   */
  patience?: number;
}

/** A client with one credential. */
export function createFolio(options: Options): Folio {
  const { key, token, language, patience = 0, fetch = globalThis.fetch, ...rest } = options;
  const headers = new Headers(rest.headers as HeadersInit | undefined);
  if (key) headers.set("x-api-key", key);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (language) headers.set("Accept-Language", language);
  return createClient<paths>({ ...rest, headers, fetch: patient(fetch, patience) });
}

/** A client with a token of the account, which is good for twelve hours. */
export async function login(options: Options, email: string, password: string): Promise<Folio> {
  const { key, token, ...open } = options;
  const answer = await createFolio(open).POST("/api/login", { body: { email, password } });
  return createFolio({ ...open, token: wanted(answer).access_token });
}

/** A refusal, with the path of each fault. */
export class FolioError extends Error {
  constructor(readonly status: number, readonly problem: Problem | undefined) {
    const faults = (problem?.errors ?? []).map((e) => `; ${e.path} ${e.code}: ${e.message}`).join("");
    super(problem ? `${status} ${problem.message}: ${problem.code}${faults}` : `${status}, and no problem document`);
    this.name = "FolioError";
  }
}

/** The data of an answer; a refusal is thrown as a FolioError. */
export function wanted<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (!answer.response.ok || answer.data === undefined) {
    throw new FolioError(answer.response.status, answer.error as Problem | undefined);
  }
  return answer.data;
}

/** What a delivery holds, by its `event`. */
export type Delivery = { event: string; document_id?: string; attempt?: number } & Record<string, unknown>;

/**
 * The delivery in a request's body, as it came over the wire. It throws when no signature fits or when the
 * delivery is more than five minutes old. Answer 200 within a second, and remember the header webhook-id:
 * the same fact may come again.
 */
export function verifyWebhook(secret: string, body: string, headers: Record<string, string>): Delivery {
  return new Webhook(secret).verify(body, headers) as Delivery;
}
