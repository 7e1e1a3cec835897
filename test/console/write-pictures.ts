import { takePictures } from "./pictures.ts";

await takePictures();
