// A product with its picture on a platform, from C#, with the framework's own libraries:
//     mcs Catalogue.cs -r:System.Net.Http -r:System.Runtime.Serialization
//     mono Catalogue.exe ADDRESS KEY SECRET PICTURE
// ADDRESS ends in /v2. Prints the product's article code and the address of its small picture.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;

[DataContract]
class Problem
{
    [DataMember(Name = "code")] public long Code { get; set; }
    [DataMember(Name = "message")] public string Message { get; set; }
}

[DataContract]
class Store
{
    [DataMember(Name = "id")] public string Id { get; set; }
    [DataMember(Name = "phone")] public string Phone { get; set; }
}

[DataContract]
class Picture
{
    [DataMember(Name = "id")] public string Id { get; set; }
    [DataMember(Name = "urls")] public Dictionary<string, string> Urls { get; set; }
}

[DataContract]
class Product
{
    [DataMember(Name = "id")] public string Id { get; set; }
    [DataMember(Name = "sku")] public long Sku { get; set; }
    [DataMember(Name = "price")] public decimal Price { get; set; }
    [DataMember(Name = "coverImage")] public Picture Cover { get; set; }
}

[DataContract]
class Nothing
{
}

static class Catalogue
{
    static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };

    static string address;

    static int Main(string[] words)
    {
        address = words[0];
        var pair = Encoding.UTF8.GetBytes(words[1] + ":" + words[2]);
        Http.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Basic", Convert.ToBase64String(pair));
        Run(words[3]).GetAwaiter().GetResult();
        return 0;
    }

    static async Task Run(string picture)
    {
        var store = await Ask<Store>("POST", "/stores", Json(@"{""name"": ""Продавница""}"));
        await Ask<Store>("PATCH", "/stores/" + store.Id, Json(@"{""phone"": ""+381 11 123""}"));
        var stores = await Ask<List<Store>>("GET", "/stores");
        Check(stores.Single(one => one.Id == store.Id).Phone == "+381 11 123", "store");

        // A picture is sent with its own type: JPEG, PNG, WebP …
        var ending = Path.GetExtension(picture).TrimStart('.').ToLowerInvariant();
        var content = new ByteArrayContent(File.ReadAllBytes(picture));
        content.Headers.ContentType =
            new MediaTypeHeaderValue("image/" + (ending == "jpg" ? "jpeg" : ending));
        var upload = "/files?filename=" + Uri.EscapeDataString(Path.GetFileName(picture));
        var file = await Ask<Picture>("POST", upload, content);
        // Numbers are JSON numbers, with a point whatever the culture, and never strings.
        var product = await Ask<Product>("POST", "/products", Json(
            @"{""name"": ""Хлеб"", ""taxRateLabel"": ""Е"", ""productType"": ""product"","
            + @" ""price"": 58.99, ""images"": [""" + file.Id + @"""]}"));
        await Ask<Product>("PATCH", "/products/" + product.Id, Json(@"{""price"": 61.5}"));
        var products = await Ask<List<Product>>("GET", "/products");
        var found = products.Single(one => one.Id == product.Id);
        Check(found.Price == 61.5m, "price");

        var small = await Http.GetAsync(found.Cover.Urls["128x128"]);
        Check(small.Content.Headers.ContentType.MediaType == "image/jpeg", "picture");

        var refused = "";
        try
        {
            await Ask<Product>("POST", "/products", Json(
                @"{""name"": ""Кифла"", ""taxRateLabel"": ""Е"", ""sku"": ""7""}"));
        }
        catch (InvalidOperationException error)
        {
            refused = error.Message;
        }
        Check(refused.Contains("\"sku\" must be a number"), "a text was taken for a number");

        Console.WriteLine(found.Sku + "\n" + found.Cover.Urls["128x128"]);
        await Ask<Nothing>("DELETE", "/products/" + product.Id);
        await Ask<Nothing>("DELETE", "/stores/" + store.Id);
    }

    static HttpContent Json(string text)
    {
        return new StringContent(text, Encoding.UTF8, "application/json");
    }

    static async Task<T> Ask<T>(string method, string path, HttpContent content = null)
    {
        var request = new HttpRequestMessage(new HttpMethod(method), address + path);
        request.Content = content;
        var response = await Http.SendAsync(request);
        var body = new MemoryStream(await response.Content.ReadAsByteArrayAsync());
        if (!response.IsSuccessStatusCode)
        {
            var problem = Read<Problem>(body);
            throw new InvalidOperationException(
                (int)response.StatusCode + " " + problem.Code + " " + problem.Message);
        }
        return Read<T>(body);
    }

    static T Read<T>(Stream body)
    {
        var settings = new DataContractJsonSerializerSettings { UseSimpleDictionaryFormat = true };
        return (T)new DataContractJsonSerializer(typeof(T), settings).ReadObject(body);
    }

    static void Check(bool isSo, string what)
    {
        if (!isSo)
        {
            throw new InvalidOperationException(what);
        }
    }
}
