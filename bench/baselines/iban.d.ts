declare module "iban" {
  const IBAN: { electronicFormat(iban: string): string; isValid(iban: string): boolean };
  export default IBAN;
}
