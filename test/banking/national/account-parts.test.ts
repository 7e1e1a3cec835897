import assert from "node:assert/strict";
import { test } from "node:test";
import { accountDigits } from "../../../src/banking/national/account-parts.ts";

test("a dash in an account number stands for the zeros that its parts leave out, where the country writes it so", () => {
  for (const [country, bankCode, written, digits] of [
    ["CZ", "0800", "19-100001", "0000190000100001"],
    ["CZ", "800", "19-2000145399/0800", "0000192000145399"],
    ["CZ", "0800", "2000145399/0800", "2000145399"],
    ["CZ", "0800", "2000145399/0100", "2000145399/0100"],
    ["SK", "1200", "000019-8742637541", "0000198742637541"],
    ["FI", "123", "456-785", "45600000785"],
    ["FI", "423", "456-781", "45670000081"],
    ["IS", "01", "26-7654-551073-0339", "260076545510730339"],
    ["CH", "09000", "87-34425-3", "870344253"],
    ["CH", "00762", "87-34425-3", "87344253"],
    ["NL", "ABNA", "0417.16.43.00", "0417164300"],
    ["BE", "539", "0075470-34", "007547034"],
  ] as const)
    assert.equal(accountDigits(country, bankCode, written), digits, `${country} ${written}`);
});
