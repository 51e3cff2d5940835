// Sets scattered points as the trees of a Unity terrain.
//
//   tepui run wood.json      with the outputs
//       "trees.csv":  { "from": "trees", "for": "unity" }
//       "models.glb": { "from": "trees", "for": "unity" }
//
// 1. Copy this into a folder named Editor. Import models.glb with the package glTFast (com.unity.cloud.gltfast), drag it
//    into the scene, and make a prefab of each of its children in one folder of Assets; they are named conifer_3 and so
//    on. Your own prefabs of these names, 1 m high, do as well.
// 2. Select the terrain, made from a Tepui .r16 with the size and position that `tepui info` tells, and choose
//    Tepui > Scatter. It asks for the table and for the folder of the prefabs.
//
// Trees of a terrain stand upright: what leans is for those who instantiate prefabs, with
// Quaternion.Euler(lean, turn, 0) in degrees.
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using UnityEditor;
using UnityEngine;

public static class UnityScatter
{
    [MenuItem("Tepui/Scatter")]
    public static void Scatter()
    {
        var terrain = Selection.activeGameObject != null ? Selection.activeGameObject.GetComponent<Terrain>() : null;
        if (terrain == null)
        {
            Debug.LogError("Select a terrain first.");
            return;
        }
        string table = EditorUtility.OpenFilePanel("Points", "", "csv");
        string folder = EditorUtility.OpenFolderPanel("Prefabs", "Assets", "");
        if (table == "" || folder == "") return;
        Set(terrain, table, FileUtil.GetProjectRelativePath(folder));
    }

    public static void Set(Terrain terrain, string table, string folder)
    {
        var prototypes = new List<TreePrototype>();
        var numbers = new Dictionary<string, int>();
        var trees = new List<TreeInstance>();
        Vector3 origin = terrain.GetPosition(), size = terrain.terrainData.size;
        bool header = true;
        foreach (string line in File.ReadLines(table))
        {
            if (header)
            {
                header = false;
                continue;
            }
            string[] cells = line.Split(',');
            string name = cells[0] + "_" + cells[1];
            if (!numbers.TryGetValue(name, out int number))
            {
                var prefab = AssetDatabase.LoadAssetAtPath<GameObject>(folder + "/" + name + ".prefab");
                number = prefab == null ? -1 : prototypes.Count;
                if (prefab == null) Debug.LogWarning("There is no prefab " + name + ": its points are left out.");
                else prototypes.Add(new TreePrototype { prefab = prefab });
                numbers[name] = number;
            }
            if (number < 0) continue;
            float At(int i) => float.Parse(cells[i], CultureInfo.InvariantCulture);
            trees.Add(new TreeInstance
            {
                prototypeIndex = number,
                position = new Vector3((At(2) - origin.x) / size.x, (At(3) - origin.y) / size.y, (At(4) - origin.z) / size.z),
                rotation = At(5),
                widthScale = At(7),
                heightScale = At(8),
                color = Color.white,
                lightmapColor = Color.white,
            });
        }
        Undo.RegisterCompleteObjectUndo(terrain.terrainData, "Scatter");
        terrain.terrainData.treePrototypes = prototypes.ToArray();
        // Heights are as in the table, not snapped to the terrain.
        terrain.terrainData.SetTreeInstances(trees.ToArray(), false);
    }
}
